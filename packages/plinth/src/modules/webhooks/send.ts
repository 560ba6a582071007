// Sends one signed message to a receiver, by the Standard Webhooks scheme (standardwebhooks.com).

import { createHmac, randomBytes } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net'
import { errorCode } from '../../core/problem.ts'

const secretPrefix = 'whsec_'

export const createSecret = (): string => secretPrefix + randomBytes(32).toString('base64')

export interface SignedMessage {
  readonly id: string
  /** The time of this attempt: receivers refuse old messages. */
  readonly sentAt: Date
  readonly body: string
}

export const signatureOf = (secret: string, { id, sentAt, body }: SignedMessage): string => {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
  const signed = `${id}.${secondsOf(sentAt)}.${body}`
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}

const secondsOf = (time: Date): number => Math.floor(time.getTime() / 1000)

export interface Receiver {
  readonly url: string
  /** The message has a signature with each: several after a rotation. */
  readonly secrets: readonly string[]
  readonly timeoutMs: number
  readonly allowHttp: boolean
  readonly allowPrivate: boolean
}

/** What receivers say is not used, so a little of it is read, and only to end the exchange in order. */
const maxResponseBytes = 65_536

/** The status of the response. Redirects are not followed. Throws when there is no whole response by the deadline. */
export const sendMessage = async (receiver: Receiver, message: SignedMessage, stop: AbortSignal): Promise<number> => {
  const url = new URL(receiver.url)
  if (url.protocol === 'http:' && !receiver.allowHttp)
    throw new DeliveryRefused('The address is not encrypted, and app.webhooks.allowHttp is false.')
  return withDeadline({ ms: receiver.timeoutMs, stop }, async signal => {
    const { address, family } = await resolveReceiver(url, receiver)
    signal.throwIfAborted()
    const toAddress: LookupFunction = (_host, options, done) =>
      options.all ? done(null, [{ address, family }]) : done(null, address, family)
    return post(url, message, { signal, lookup: toAddress, headers: headersOf(receiver.secrets, message) })
  })
}

class DeadlinePassed extends Error {}

interface Deadline {
  readonly ms: number
  readonly stop: AbortSignal
}

/**
 * Settles by the deadline even if the work ignores its signal. The timer holds the signal: `AbortSignal.any` holds its sources
 * weakly, so Node may collect an `AbortSignal.timeout` before it fires.
 */
const withDeadline = <T>({ ms, stop }: Deadline, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  stop.throwIfAborted()
  const ending = new AbortController()
  const stopWork = () => ending.abort(stop.reason)
  const timer = setTimeout(() => ending.abort(new DeadlinePassed()), ms)
  stop.addEventListener('abort', stopWork)
  return new Promise<T>((resolve, reject) => {
    ending.signal.addEventListener('abort', () => reject(ending.signal.reason))
    work(ending.signal).then(resolve, reject)
  }).finally(() => {
    clearTimeout(timer)
    stop.removeEventListener('abort', stopWork)
  })
}

const headersOf = (secrets: readonly string[], message: SignedMessage) => ({
  'Content-Type': 'application/json',
  'Content-Length': Buffer.byteLength(message.body).toString(),
  'User-Agent': 'Plinth-Webhooks',
  Connection: 'close',
  'webhook-id': message.id,
  'webhook-timestamp': secondsOf(message.sentAt).toString(),
  'webhook-signature': secrets.map(secret => signatureOf(secret, message)).join(' '),
})

interface Exchange {
  readonly signal: AbortSignal
  readonly lookup: LookupFunction
  readonly headers: Readonly<Record<string, string>>
}

const post = (url: URL, { body }: SignedMessage, { signal, lookup, headers }: Exchange): Promise<number> =>
  new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp
    const outgoing = send(url, { method: 'POST', agent: false, signal, lookup, headers: { ...headers } }, response => {
      let received = 0
      const finish = () => {
        outgoing.destroy()
        resolve(response.statusCode ?? 0)
      }
      response.on('data', (chunk: Buffer) => {
        received += chunk.length
        if (received > maxResponseBytes) finish()
      })
      response.on('end', finish)
      response.on('error', finish)
    })
    // A response with 101 hands over the socket and has no end.
    outgoing.on('upgrade', ({ statusCode = 0 }, socket) => {
      socket.destroy()
      resolve(statusCode)
    })
    outgoing.on('error', reject)
    // Has an effect only if the connection closed without any of the above.
    outgoing.on('close', () => reject(new Error('The connection closed without a response.')))
    outgoing.end(body)
  })

/** Codes and messages of this module only: other messages may repeat parts of addresses. */
export const failureOf = (error: unknown): string => {
  if (error instanceof DeliveryRefused) return error.message
  if (error instanceof DeadlinePassed) return 'The receiver did not respond in time.'
  const code = errorCode(error)
  return /^[A-Z_]{3,60}$/.test(code) ? `No connection (${code}).` : 'No connection.'
}

// Which addresses webhooks may be delivered to. Users choose the addresses, and the service can reach machines that users cannot:
// itself, its database, the metadata service of its host (server-side request forgery).

/** IANA IPv4 and IPv6 Special-Purpose Address Registries, multicast, and prefixes that lead to IPv4 addresses. */
const internalNetworks: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  // The platform services of Azure.
  ['168.63.129.16', 32],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 96],
  ['::ffff:0:0', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
]

const typeOf = (address: string): 'ipv4' | 'ipv6' => (isIPv4(address) ? 'ipv4' : 'ipv6')

/** One for each type: a list compares IPv4 addresses with networks of IPv6 as well, where all of them are mapped. */
const internal = { ipv4: new BlockList(), ipv6: new BlockList() }
for (const [network, prefix] of internalNetworks) internal[typeOf(network)].addSubnet(network, prefix, typeOf(network))

export const isPublicAddress = (address: string): boolean =>
  isIP(address) !== 0 && !internal[typeOf(address)].check(address, typeOf(address))

/** The receiver cannot be used. The message is shown to the owner of the webhook. */
export class DeliveryRefused extends Error {}

/** Returns the host without the brackets of IPv6. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

/** The address to connect to, resolved once: a second answer of the name server could be another one. */
export const resolveReceiver = async (url: URL, { allowPrivate }: { readonly allowPrivate: boolean }) => {
  const host = hostOf(url)
  const family = isIP(host)
  const found = family === 0 ? await lookup(host, { all: true }) : [{ address: host, family }]
  const [first] = found
  if (!first) throw new DeliveryRefused('The name has no address.')
  if (!allowPrivate && found.some(({ address }) => !isPublicAddress(address)))
    throw new DeliveryRefused('The address is not a public one, and app.webhooks.allowPrivateAddresses is false.')
  return first
}
