// A service that gets a quarter of a processor refuses no request for that.

import { launch, preparedFolder, type ServiceProcess } from '@plinth/test-kit/service-process'
import { expect, onTestFinished, test } from 'vitest'

const roundMs = 100

/** Stops the process for three quarters of the time, until the test ends. */
const starve = (service: ServiceProcess): void => {
  let pause: NodeJS.Timeout | undefined
  const round = setInterval(() => {
    service.signal('SIGSTOP')
    pause = setTimeout(() => service.signal('SIGCONT'), 0.75 * roundMs)
  }, roundMs)
  onTestFinished(() => {
    clearInterval(round)
    clearTimeout(pause)
    service.signal('SIGCONT')
  })
}

let serial = 0
const places = (count: number) =>
  Array.from({ length: count }, () => ({ pk: `S${++serial}`, name: `Place ${serial}`, parent: 'GR' }))

test('one administrator creates many records at once, time and again', async () => {
  const service = await launch({ folder: await preparedFolder() })
  starve(service)
  const statuses: number[] = []
  for (const count of [500, 500, 500, 1000]) {
    const { status } = await service.admin.post('/api/rest/localities', places(count), { Prefer: 'return=minimal' })
    statuses.push(status)
  }
  expect(statuses).toEqual(Array(4).fill(201))
})

test('many people sign in at once, behind a proxy', async () => {
  const settings = { 'server.trustedProxies': '127.0.0.1' }
  const service = await launch({ folder: await preparedFolder(), settings })
  const people = ['admin', 'operator', 'staff', 'client', 'simple']
  const signIn = async (at: number) => {
    const name = people[at % people.length]
    const body = JSON.stringify({ username: name, password: name })
    const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': `192.0.2.${at % 250}` }
    const answer = await fetch(`${service.url}/api/auth/userDetails`, { method: 'POST', headers, body })
    const text = await answer.text()
    return answer.ok ? 'signed in' : text
  }
  const answers = await Promise.all(Array.from({ length: 120 }, (_, at) => signIn(at)))
  expect(answers.filter(answer => answer !== 'signed in')).toEqual([])
  expect((await service.admin.get('/api/rest/continents/EU')).status).toBe(200)
})
