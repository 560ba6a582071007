// Rights that end while messages wait for the client to read them.

import { expect, test } from 'vitest'
import type { Request } from '../../core/http/exchange.ts'
import { anonymous } from '../../core/model/caller.ts'
import type { Service } from '../../core/service.ts'
import type { Realtime } from './realtime.ts'
import { StompConnection } from './stomp-connection.ts'

const open = (buffered: number) => {
  const done: string[] = []
  const socket = {
    protocol: 'v12.stomp',
    buffered,
    send: (text: string) => void done.push(text.split('\n', 1)[0] ?? ''),
    sendFrame: () => void done.push('MESSAGE'),
    ping: () => {},
    close: () => void done.push('close'),
    terminate: () => void done.push('terminate'),
  }
  const realtime = { left: () => void done.push('left') } as Partial<Realtime> as Realtime
  const connection = new StompConnection({} as Service, realtime, socket, { request: {} as Request, caller: anonymous })
  return { connection, done }
}

test.each<[string, (connection: StompConnection) => void]>([
  ['loses the session', connection => connection.cut('The credentials are no longer valid.')],
  ['has other rights', connection => connection.renew({ ...anonymous, roles: new Set() })],
])('who %s gets nothing of what was waiting', (_, lose) => {
  const { connection, done } = open(5)
  lose(connection)
  expect(done).toEqual(['left', 'terminate'])
})

test('a client that has read everything gets the reason for the end of the connection', () => {
  const { connection, done } = open(0)
  connection.cut('The credentials are no longer valid.')
  expect(done).toEqual(['ERROR', 'left', 'close'])
})
