// Real STOMP clients against the service: the official library, on a WebSocket that can send headers.

import { Client, type IFrame, type IMessage, type StompHeaders } from '@stomp/stompjs'
import WebSocket from 'ws'
import type { Parsed } from '../../plinth/src/testing/client.ts'
import { until, waitingFor } from '../../plinth/src/testing/waiting.ts'
import type { DemoUser } from './service.ts'

export interface ReceivedChange {
  readonly sequence: number
  readonly type: 'created' | 'updated' | 'deleted'
  readonly resource: string
  readonly pk: string
  readonly record?: Parsed
}

export interface Connected {
  readonly session: string
  readonly stomp: Client
  /** Subscribes and waits for the receipt. Messages arrive in the inbox. */
  listen(destination: string, headers?: StompHeaders): Promise<ReceivedChanges>
  /** The ERROR frame that ended it. */
  readonly error: Promise<IFrame>
  readonly closed: Promise<void>
  disconnect(): Promise<void>
  /** Closes the connection without a word, like a lost network. */
  drop(): void
}

export interface ReceivedChanges {
  readonly messages: IMessage[]
  /** The sequence in the receipt. */
  readonly since: number
  bodies(): ReceivedChange[]
  /** Waits until this many messages have arrived. */
  until(count: number): Promise<ReceivedChange[]>
  /** Waits for a message that fits. */
  find(fits: (change: ReceivedChange) => boolean): Promise<ReceivedChange>
}

export const credentialsOf = (user: DemoUser | 'anonymous'): Record<string, string> =>
  user === 'anonymous' ? {} : { Authorization: `Basic ${btoa(`${user}:${user}`)}` }

export const socketUrl = (url: string): string => `${url.replace('http', 'ws')}/ws`

export const connect = async (
  url: string,
  headers: Record<string, string>,
  options: Partial<Client> = {},
): Promise<Connected> => {
  const socket = new WebSocket(socketUrl(url), ['v12.stomp', 'v11.stomp', 'v10.stomp'], { headers })
  let receipts = 0
  let fail: (error: Error) => void = () => {}
  const stomp = new Client({ webSocketFactory: () => socket as never, reconnectDelay: 0, ...options })
  const error = new Promise<IFrame>(resolve => {
    stomp.onStompError = resolve
  })
  const closed = new Promise<void>(resolve => socket.once('close', () => resolve()))
  socket.once('unexpected-response', (_request, response) => fail(new Error(`refused with ${response.statusCode}`)))
  socket.once('error', reason => fail(reason))
  socket.once('close', code => fail(new Error(`closed with ${code}`)))
  const connected = new Promise<string>((resolve, reject) => {
    fail = reject
    stomp.onConnect = frame => resolve(frame.headers.session ?? '')
    error.then(frame => reject(new Error(frame.headers.message)))
    stomp.activate()
  })
  const subscribe = (destination: string, headers: StompHeaders): Promise<ReceivedChanges> =>
    new Promise((resolve, reject) => {
      receipts += 1
      const receipt = `receipt-${receipts}`
      const messages: IMessage[] = []
      stomp.watchForReceipt(receipt, frame => resolve(inbox(messages, Number(frame.headers.sequence))))
      error.then(frame => reject(new Error(frame.headers.message)))
      stomp.subscribe(destination, message => messages.push(message), { receipt, ...headers })
    })
  return {
    session: await waitingFor('a STOMP session', connected),
    stomp,
    get error() {
      return waitingFor('an ERROR frame', error)
    },
    get closed() {
      return waitingFor('the STOMP connection to be closed', closed)
    },
    listen: (destination, headers = {}) =>
      waitingFor(`the receipt of a subscription to ${destination}`, subscribe(destination, headers)),
    disconnect: async () => {
      await stomp.deactivate()
    },
    drop: () => socket.terminate(),
  }
}

const inbox = (messages: IMessage[], since: number): ReceivedChanges => {
  const bodies = () => messages.map(message => JSON.parse(message.body) as ReceivedChange)
  return {
    messages,
    since,
    bodies,
    until: async count => {
      await until(`message ${count}`, () => messages.length >= count)
      return bodies()
    },
    find: async fits => {
      await until('a message that fits', () => bodies().some(fits))
      return bodies().find(fits) as ReceivedChange
    },
  }
}
