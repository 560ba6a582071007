// The subscribers of the realtime benchmark, in a process of their own. One in fifty reads what it receives and notes when
// it came; the others only take it, since reading millions of messages would keep this process busier than the service.

import WebSocket from 'ws'

const credentials = { Authorization: `Basic ${Buffer.from('client:client').toString('base64')}` }
const readEvery = 50

interface Subscriber {
  bytes: number
  /** Is null when it does not read. */
  readonly delays: number[] | null
}
const subscribers: Subscriber[] = []

/** A message holds one or more frames, each with the moment of its record in the record's name. */
const note = (delays: number[], data: Buffer): void => {
  const now = (performance.timeOrigin + performance.now()) * 1000
  for (let at = data.indexOf('"name":"at'); at >= 0; at = data.indexOf('"name":"at', at + 30))
    delays.push((now - Number(data.toString('latin1', at + 10, at + 26))) / 1000)
}

const connect = (url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const subscriber: Subscriber = { bytes: 0, delays: subscribers.length % readEvery === 0 ? [] : null }
    subscribers.push(subscriber)
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, ['v12.stomp'], {
      headers: credentials,
      perMessageDeflate: false,
      skipUTF8Validation: true,
      allowSynchronousEvents: true,
    })
    const take = (data: Buffer): void => {
      subscriber.bytes += data.length
      if (subscriber.delays) note(subscriber.delays, data)
    }
    socket.once('error', reject)
    socket.once('open', () => {
      socket.send('CONNECT\naccept-version:1.2\nheart-beat:0,0\n\n\0')
      socket.send('SUBSCRIBE\nid:0\ndestination:/topic/hosts\nrecord:true\nreceipt:r\n\n\0')
    })
    // Without these, a subscriber that is refused would be waited for without end.
    socket.once('close', code => reject(new Error(`the connection was closed with ${code}`)))
    const greet = (data: Buffer): void => {
      if (data.includes('ERROR')) reject(new Error(data.toString()))
      if (!data.includes('RECEIPT')) return
      socket.off('message', greet).on('message', take)
      resolve()
    }
    socket.on('message', greet)
  })

const readers = (): (readonly number[])[] => subscribers.flatMap(({ delays }) => (delays ? [delays] : []))

/** All receive the same: one that has taken as many bytes as a reader who has received everything has received everything. */
const toldAll = (expected: number): number => {
  const whole = subscribers.find(({ delays }) => delays?.length === expected)?.bytes
  return subscribers.filter(({ bytes }) => bytes === whole).length
}

process.on('message', async (question: { connect?: number; url?: string; changes?: number }) => {
  for (let at = 0; at < (question.connect ?? 0); at += 50) {
    await Promise.all(Array.from({ length: 50 }, () => connect(question.url ?? '')))
  }
  const { changes } = question
  if (changes !== undefined) {
    const patience = performance.now() + 60_000
    while (toldAll(changes) < subscribers.length && performance.now() < patience)
      await new Promise(done => setTimeout(done, 50))
  }
  const delays = readers()
    .flat()
    .sort((left, right) => left - right)
  const at = (part: number): number =>
    delays[Math.min(delays.length - 1, Math.floor(delays.length * part))] ?? Number.NaN
  process.send?.({ received: toldAll(changes ?? 0), p50: at(0.5), p99: at(0.99), max: at(1) })
})
