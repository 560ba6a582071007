// Who hears what over one connection, frame by frame: the socket is played by the test.

import { expect, test } from 'vitest'
import { EventReader } from '../src/event-reader.ts'
import { createClient, type LiveConnection } from '../src/index.ts'

/** A socket whose other end is this test. */
class PlayedSocket {
  readonly binaryType = 'arraybuffer'
  readyState = 0
  onopen: (() => void) | null = null
  onmessage: ((event: { data: string }) => void) | null = null
  onclose: ((event: object) => void) | null = null
  onerror: (() => void) | null = null
  /** The receipts that the client waits for, in order. */
  readonly receipts: string[] = []

  open(): this {
    setTimeout(() => {
      this.readyState = 1
      this.onopen?.()
    })
    return this
  }

  send(frame: string): void {
    if (frame.startsWith('CONNECT')) this.receive('CONNECTED\nversion:1.2\nheart-beat:0,0')
    const [, receipt] = /\nreceipt:(.*)\n/.exec(frame) ?? []
    if (frame.startsWith('SUBSCRIBE') && receipt !== undefined) this.receipts.push(receipt)
    if (frame.startsWith('DISCONNECT')) this.receive(`RECEIPT\nreceipt-id:${receipt}`)
  }

  receive(head: string): void {
    setTimeout(() => this.onmessage?.({ data: `${head}\n\n\0` }))
  }

  confirm(at: number): void {
    this.receive(`RECEIPT\nreceipt-id:${this.receipts[at]}\nsequence:7`)
  }

  close(): void {
    this.readyState = 3
    this.onclose?.({ code: 1000, reason: '', wasClean: true })
  }
}

const openLive = async (): Promise<{ live: LiveConnection; socket: PlayedSocket }> => {
  const socket = new PlayedSocket()
  const { live } = createClient({ url: 'http://service.example', live: { createSocket: () => socket.open() } })
  await live.open()
  await expect.poll(() => live.state()).toBe('on')
  return { live, socket }
}

const listener = () => {
  const counts = { reloads: 0 }
  const listen = {
    message: () => {},
    reload: () => {
      counts.reloads++
    },
  }
  return { counts, listen }
}

test('a destination that was left and subscribed to again is confirmed by its own receipt', async () => {
  const { live, socket } = await openLive()
  const [first, second, other] = [listener(), listener(), listener()]
  const leave = live.listen('/topic/books', first.listen)
  leave()
  live.listen('/topic/books', second.listen)
  live.listen('/topic/films', other.listen)
  await expect.poll(() => socket.receipts.length).toBe(3)
  socket.confirm(0)
  socket.confirm(2)
  await expect.poll(() => other.counts.reloads).toBe(1)
  expect([first.counts.reloads, second.counts.reloads]).toEqual([0, 0])
  socket.confirm(1)
  await expect.poll(() => second.counts.reloads).toBe(1)
  await live.close()
})

test('a listener that joins others reads its records again, and the others do not', async () => {
  const { live, socket } = await openLive()
  const [first, second, gone] = [listener(), listener(), listener()]
  live.listen('/topic/books', first.listen)
  await expect.poll(() => socket.receipts.length).toBe(1)
  socket.confirm(0)
  await expect.poll(() => first.counts.reloads).toBe(1)
  live.listen('/topic/books', second.listen)
  const leave = live.listen('/topic/books', gone.listen)
  leave()
  await expect.poll(() => second.counts.reloads).toBe(1)
  expect([first.counts.reloads, gone.counts.reloads, socket.receipts.length]).toEqual([1, 0, 1])
  await live.close()
})

const readAll = async (reader: EventReader, ...chunks: readonly string[]): Promise<unknown[]> => {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start: controller => {
      for (const chunk of chunks) controller.enqueue(encoder.encode(chunk))
      controller.close()
    },
  })
  const found: unknown[] = []
  const options = { signal: new AbortController().signal, silenceMs: 60_000 }
  for await (const event of reader.read(new Response(body), options)) found.push(event.body ?? event.kind)
  return found
}

const change = (sequence: number, resource: string) => ({ sequence, resource, pk: '1' })
const written = (sequence: number, resource: string): string =>
  `id: ${sequence}\ndata: ${JSON.stringify(change(sequence, resource))}\n\n`

test('events are read in any pieces, and an event that was cut off is sent again', async () => {
  const reader = new EventReader()
  const text = `: welcome\nid: 3\n\n${written(5, 'books')}`
  expect(await readAll(reader, ...text, 'id: 6\ndata: {"seq')).toEqual(['position', change(5, 'books')])
  // Another event may have the same number.
  expect(reader.position).toBe(4)
  const again = `: welcome\nid: 4\n\n${written(5, 'books')}${written(5, 'films')}${written(6, 'books')}`
  expect(await readAll(reader, again)).toEqual(['position', change(5, 'films'), change(6, 'books')])
  expect(await readAll(reader, ': beat\nid: 9\n\n')).toEqual(['position'])
  expect(reader.position).toBe(9)
  expect(await readAll(reader, 'event: reload\ndata: gone\n\n')).toEqual(['reload'])
  expect(reader.position).toBeNull()
})
