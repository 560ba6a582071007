// The subscribers of the realtime benchmark, in a process of their own: they note when each message arrives.

import WebSocket from 'ws'

const credentials = { Authorization: `Basic ${Buffer.from('client:client').toString('base64')}` }
const delays: number[] = []
let messages = 0

/** A message holds one or more frames, each with the moment of its record in the record's name. */
const note = (data: Buffer): void => {
  const now = (performance.timeOrigin + performance.now()) * 1000
  for (let at = data.indexOf('"name":"at'); at >= 0; at = data.indexOf('"name":"at', at + 30)) {
    delays.push((now - Number(data.toString('latin1', at + 10, at + 26))) / 1000)
    messages += 1
  }
}

const connect = (url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, ['v12.stomp'], {
      headers: credentials,
      perMessageDeflate: false,
      skipUTF8Validation: true,
    })
    socket.once('error', reject)
    socket.once('open', () => {
      socket.send('CONNECT\naccept-version:1.2\nheart-beat:0,0\n\n\0')
      socket.send('SUBSCRIBE\nid:0\ndestination:/topic/hosts\nrecord:true\nreceipt:r\n\n\0')
    })
    socket.on('message', (data: Buffer) => {
      if (data.includes('RECEIPT')) resolve()
      else note(data)
    })
  })

process.on('message', async (question: { connect?: number; url?: string; until?: number }) => {
  for (let at = 0; at < (question.connect ?? 0); at += 50) {
    await Promise.all(Array.from({ length: 50 }, () => connect(question.url ?? '')))
  }
  if (question.until !== undefined) {
    const patience = performance.now() + 60_000
    while (messages < question.until && performance.now() < patience) await new Promise(done => setTimeout(done, 50))
  }
  delays.sort((left, right) => left - right)
  const at = (part: number): number =>
    delays[Math.min(delays.length - 1, Math.floor(delays.length * part))] ?? Number.NaN
  process.send?.({ messages, p50: at(0.5), p99: at(0.99), max: at(1) })
})
