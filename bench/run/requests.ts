// The requests of the comparison.

import type { LoadRequest } from '../support/load.ts'
import { authorization } from '../support/servers.ts'
import { size } from '../support/size.ts'

export const records = size('BENCH_RECORDS', 100_000, 2000)

/** The localities are spread over these countries. */
export const parents =
  'AL AD AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MC MD ME MT NL NO PL PT RO RS SE SI SK'.split(
    ' ',
  )

/** The number of records that are changed in turn, so that writers hardly ever wait for each other. */
const changed = 1000

const hostPk = (number: number): string => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`

/** Is part of some of their names. */
const searched = 'orda'

let serial = 0
const names = { list: '/api/rest/localities', hosts: '/api/rest/hosts' } as const

export const onePath = `${names.list}/L${Math.floor(records / 2)}`

const readOne: LoadRequest = { method: 'GET', path: onePath, expects: 200 }

const update: LoadRequest = {
  method: 'PATCH',
  path: () => `${names.hosts}/${hostPk(++serial % changed)}`,
  body: () => JSON.stringify({ description: `Changed for the ${++serial}th time.` }),
  expects: 200,
}

export const requests: Readonly<Record<string, LoadRequest | readonly LoadRequest[]>> = {
  'read one': readOne,
  page: { method: 'GET', path: `${names.list}?filter=name==Al*&sort=-name&_ps=20`, expects: 200 },
  'by reference': { method: 'GET', path: `${names.list}?filter=parent==GR&sort=name&_ps=20`, expects: 200 },
  'with include': {
    method: 'GET',
    path: `${names.list}?filter=name==Al*&sort=-name&_ps=20&include=parent`,
    expects: 200,
  },
  // Of one caller, few slow searches run at a time.
  search: {
    method: 'GET',
    path: `${names.list}?filter=name==*${searched}*&sort=name&_ps=20`,
    expects: 200,
    connections: 1,
  },
  create: {
    method: 'POST',
    path: names.hosts,
    body: () =>
      JSON.stringify({
        name: `host-${process.pid}-${++serial}.example.com`,
        description: 'A host for measuring.',
        country: 'GR',
      }),
    expects: 201,
  },
  update,
  'four reads, one update': [readOne, readOne, readOne, readOne, update],
  'one connection': { ...readOne, connections: 1 },
  'one, updating': { ...update, connections: 1 },
}

/** The hosts that updates change. */
export const fillHosts = async (url: string): Promise<void> => {
  const headers = { ...authorization, 'content-type': 'application/json', prefer: 'return=minimal' }
  for (let from = 0; from < changed; from += 250) {
    const hosts = Array.from({ length: 250 }, (_, at) => ({
      ...{
        pk: hostPk(from + at),
        name: `changed-${from + at}.example.com`,
        description: 'Not changed.',
        country: 'GR',
      },
    }))
    const answer = await fetch(url + names.hosts, { method: 'POST', headers, body: JSON.stringify(hosts) })
    if (answer.status !== 201) throw new Error(`hosts were answered with ${answer.status}: ${await answer.text()}`)
  }
}
