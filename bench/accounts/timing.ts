// Does the time of an answer tell whether an account exists? Known and unknown names in random order, each asked once.

import { request } from 'node:http'
import type { Running } from '../support/servers.ts'
import { size } from '../support/size.ts'
import { addressOf, nameOf } from './people.ts'

export const samples = size('BENCH_SAMPLES', 500, 10)

interface Sort {
  readonly name: string
  readonly method: 'POST' | 'PUT'
  readonly path: string
  readonly body: (address: string, username: string) => object
  readonly expects: number
}

const secret = 'another passphrase for measuring'
let serial = 0

const sorts: readonly Sort[] = [
  {
    name: 'login, wrong password',
    method: 'POST',
    path: '/api/auth/jwt/access',
    body: (_, username) => ({ username, password: secret }),
    expects: 401,
  },
  {
    name: 'login by address',
    method: 'POST',
    path: '/api/auth/userDetails',
    body: email => ({ email, password: secret }),
    expects: 401,
  },
  { name: 'reset by address', method: 'PUT', path: '/api/auth/account', body: email => ({ email }), expects: 200 },
  {
    name: 'reset by name',
    method: 'PUT',
    path: '/api/auth/account',
    body: (_, username) => ({ username }),
    expects: 200,
  },
  {
    name: 'reset with odd fields',
    method: 'PUT',
    path: '/api/auth/account',
    body: email => ({ email, resetUrl: 'https://evil.example', passwordConfirmation: 'x', locale: '%%' }),
    expects: 200,
  },
  {
    name: 'register',
    method: 'POST',
    path: '/api/auth/account',
    body: email => ({ email, username: `new${++serial}`, password: secret, passwordConfirmation: secret }),
    expects: 201,
  },
  {
    name: 'register with a bad code',
    method: 'POST',
    path: '/api/auth/account',
    body: email => ({ email, password: secret, passwordConfirmation: secret, registrationCode: 'none' }),
    expects: 422,
  },
]

/** Times a request from ever new addresses, since one alone may not ask so often. */
const timed = (url: string, { method, path, expects }: Sort, body: object): Promise<number> =>
  new Promise((resolve, reject) => {
    const number = ++serial
    const localAddress = `127.${1 + (number >> 14)}.${(number >> 7) & 127}.${1 + (number & 127)}`
    const began = performance.now()
    const sent = request(
      new URL(path, url),
      { method, localAddress, agent: false, headers: { 'content-type': 'application/json' } },
      answer => {
        answer.resume()
        answer.once('end', () => {
          if (answer.statusCode === expects) resolve(performance.now() - began)
          else reject(new Error(`${method} ${path}: ${answer.statusCode}`))
        })
      },
    )
    sent.once('error', reject)
    sent.end(JSON.stringify(body))
  })

const mean = (times: readonly number[]): number => times.reduce((sum, time) => sum + time, 0) / times.length

/** Removes the tenth at each end: a busy machine makes outliers that say nothing of the service. */
const trimmed = (times: readonly number[]): readonly number[] => {
  const cut = Math.floor(times.length / 10)
  return [...times].sort((left, right) => left - right).slice(cut, times.length - cut)
}

const compare = async (url: string, sort: Sort): Promise<void> => {
  const [known, unknown]: [number[], number[]] = [[], []]
  const order = Array.from({ length: samples }, (_, number) => [known, unknown].map(times => ({ times, number })))
    .flat()
    .map(one => ({ one, key: Math.random() }))
    .sort((left, right) => left.key - right.key)
  for (const { one } of order) {
    const [address, username] =
      one.times === known
        ? [addressOf(one.number), nameOf(one.number)]
        : [`nobody${one.number}@example.org`, `nobody${one.number}`]
    one.times.push(await timed(url, sort, sort.body(address, username)))
  }
  const inWords = (of: (times: readonly number[]) => number) => {
    const [first, second] = [of(known), of(unknown)]
    return `${first.toFixed(2).padStart(7)} ${second.toFixed(2).padStart(7)} ms ${((first / second - 1) * 100).toFixed(1).padStart(6)} %`
  }
  console.log(`${sort.name.padEnd(26)}${inWords(mean)}   without the ends ${inWords(times => mean(trimmed(times)))}`)
}

export const measureTiming = async ({ url }: Running): Promise<void> => {
  console.log(`means of ${samples} known and ${samples} unknown names`)
  for (const sort of sorts) await compare(url, sort)
}
