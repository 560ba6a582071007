// Bodies: records with fields of the wrong kind, documents with parts in the wrong place, and bodies that are not JSON.

import fc from 'fast-check'
import type { Ground } from './queries.ts'
import { mutated, nasty } from './texts.ts'

/** A valid body of a resource, as a start. */
export interface ValidBody {
  readonly resource: string
  readonly fields: Readonly<Record<string, unknown>>
  /** The fields that may be left out. */
  readonly optional: readonly string[]
  /** The fields that lead to records, with their resource. */
  readonly relations: Readonly<Record<string, string>>
}

export const wild: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: nasty },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      null,
      true,
      false,
      0,
      -1,
      1.5,
      1e308,
      -1e-7,
      2 ** 53 + 2,
      [],
      {},
      [[]],
      [null],
      [''],
      { pk: null },
      { pk: [] },
      { id: '' },
    ),
  },
  { weight: 1, arbitrary: fc.nat(2000).map(length => Array.from({ length }, (_, at) => at)) },
  { weight: 1, arbitrary: fc.nat(60).map(depth => nested(depth)) },
)

const nested = (depth: number): unknown =>
  depth === 0 ? 'x' : depth % 2 ? [nested(depth - 1)] : { a: nested(depth - 1) }

/** The sample with some fields replaced or added; often none, so that much of what is sent is good. */
const fieldsOf = ({ fields, optional }: ValidBody, ground: Ground): fc.Arbitrary<Record<string, unknown>> => {
  const name = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...Object.keys(fields), 'pk', 'id', 'version') },
    { weight: 2, arbitrary: fc.constantFrom(...ground.fields) },
    { weight: 1, arbitrary: nasty },
  )
  const value = fc.oneof({ weight: 3, arbitrary: wild }, { weight: 1, arbitrary: fc.constantFrom(...ground.pks) })
  const changes = fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 3, arbitrary: fc.array(fc.tuple(name, value), { minLength: 1, maxLength: 3 }) },
  )
  return fc.tuple(changes, fc.subarray([...optional])).map(([changed, without]) => {
    const entries = Object.entries(fields).filter(([key]) => !without.includes(key))
    return Object.fromEntries([...entries, ...changed])
  })
}

const toResourceObject = (
  { resource, relations }: ValidBody,
  fields: Record<string, unknown>,
): Record<string, unknown> => {
  const attributes: Record<string, unknown> = {}
  const relationships: Record<string, unknown> = {}
  const { pk, ...rest } = fields
  for (const [name, value] of Object.entries(rest)) {
    const target = Object.hasOwn(relations, name) ? relations[name] : undefined
    if (target === undefined) attributes[name] = value
    else relationships[name] = { data: typeof value === 'string' ? { type: target, id: value } : value }
  }
  return { type: resource, ...(pk !== undefined && { id: pk }), attributes, relationships }
}

/** Some value somewhere in a JSON value replaced by another. */
const disturbed = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(value, fc.array(fc.nat(), { minLength: 1, maxLength: 5 }), wild)
    .map(([whole, way, other]) => replaceAt(whole, way, other))

const replaceAt = (value: unknown, [step = 0, ...way]: readonly number[], other: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return other
  const keys = Object.keys(value)
  const key = keys[step % Math.max(1, keys.length)]
  if (key === undefined || way.length === 0) return other
  const changed = { ...value, [key]: replaceAt((value as Record<string, unknown>)[key], way, other) }
  return Array.isArray(value) ? Object.values(changed) : changed
}

const operationOf = (samples: readonly ValidBody[], ground: Ground): fc.Arbitrary<unknown> => {
  const target = fc.record(
    {
      type: fc.oneof(fc.constantFrom(...ground.resources), nasty),
      id: fc.oneof(fc.constantFrom(...ground.pks), nasty),
      lid: fc.constantFrom('a', 'b', '__proto__'),
      relationship: fc.oneof(fc.constantFrom(...ground.fields), nasty),
    },
    { requiredKeys: ['type'] },
  )
  const data = fc.oneof(
    ...samples.map(sample => fieldsOf(sample, ground).map(fields => toResourceObject(sample, fields))),
  )
  return fc.record(
    {
      op: fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom('add', 'update', 'remove') },
        { weight: 1, arbitrary: nasty },
      ),
      ref: target,
      href: fc.oneof(
        fc.constantFrom('/api/rest/books', '/api/rest/books/x/relationships/authors', '/api/rest/%'),
        nasty,
      ),
      data: fc.oneof(
        { weight: 6, arbitrary: data },
        { weight: 1, arbitrary: target },
        { weight: 1, arbitrary: fc.array(target, { maxLength: 3 }) },
        { weight: 1, arbitrary: wild },
      ),
    },
    { requiredKeys: ['op'] },
  )
}

const broken: fc.Arbitrary<Buffer> = fc.oneof(
  fc.uint8Array({ maxLength: 60 }).map(bytes => Buffer.from(bytes)),
  fc
    .constantFrom(
      '',
      ' ',
      '{',
      '[',
      '"',
      '{"a":',
      '[1,]',
      '{"a":1,"a":2}',
      '{"__proto__":{"polluted":true},"name":"x"}',
      '{"constructor":{"prototype":{"polluted":true}}}',
      '\ufeff{}',
      '{"name":"\\ud800"}',
      '{"name":"\\u0000"}',
      '{"pages":1e400}',
      '{"pages":-0}',
      '{"price":0.1e1}',
      'null',
      '0',
      'true',
      'NaN',
    )
    .map(text => Buffer.from(text)),
  fc
    .constantFrom([0x22, 0xff, 0x22], [0x22, 0xed, 0xa0, 0x80, 0x22], [0xfe, 0xff, 0, 0x7b])
    .map(bytes => Buffer.from(bytes)),
  fc
    .tuple(fc.constantFrom('[', '{"a":', '[[{"a":'), fc.nat(20_000))
    .map(([open, times]) => Buffer.from(open.repeat(times))),
  fc.nat(20_000).map(times => Buffer.from('['.repeat(times) + ']'.repeat(times))),
  fc.nat(100_000).map(length => Buffer.from(JSON.stringify({ title: 'x'.repeat(length), name: 'y'.repeat(length) }))),
)

export interface SentBody {
  readonly type: string
  readonly bytes: Buffer
}

const jsonApi = 'application/vnd.api+json'
const atomic = `${jsonApi};ext="https://jsonapi.org/ext/atomic"`
export const bodyTypes = [
  'application/json',
  'application/hal+json',
  jsonApi,
  atomic,
  'application/merge-patch+json',
] as const

export interface HostileBodies {
  /** The body of a new record or a change of one. */
  readonly record: fc.Arbitrary<SentBody>
  readonly linkage: fc.Arbitrary<SentBody>
  readonly operations: fc.Arbitrary<SentBody>
  readonly any: fc.Arbitrary<SentBody>
}

const sent = (type: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<SentBody> =>
  value.map(json => ({ type, bytes: Buffer.from(JSON.stringify(json) ?? 'null') }))

/** Bodies and the types that fit them. */
export const bodiesOf = (sample: ValidBody, samples: readonly ValidBody[], ground: Ground): HostileBodies => {
  const plain = fieldsOf(sample, ground)
  const document = plain.map(fields => ({ data: toResourceObject(sample, fields) }))
  const identifier = fc.record({
    type: fc.constantFrom(...Object.values(sample.relations), sample.resource),
    id: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...ground.pks) }, { weight: 1, arbitrary: nasty }),
  })
  const linkage = fc.oneof(fc.array(identifier, { maxLength: 3 }), identifier, wild)
  const operations = fc
    .array(operationOf(samples, ground), { minLength: 1, maxLength: 4 })
    .map(list => ({ 'atomic:operations': list }))
  const record = fc.oneof(
    { weight: 10, arbitrary: sent('application/json', plain) },
    { weight: 3, arbitrary: sent('application/merge-patch+json', plain) },
    { weight: 2, arbitrary: sent('application/json', fc.array(plain, { maxLength: 4 })) },
    { weight: 6, arbitrary: sent(jsonApi, document) },
    { weight: 3, arbitrary: sent(jsonApi, disturbed(document)) },
  )
  const any = fc.oneof(
    { weight: 2, arbitrary: sent('application/json', wild) },
    { weight: 3, arbitrary: broken.map(bytes => ({ type: 'application/json', bytes })) },
    {
      weight: 2,
      arbitrary: mutated(plain.map(json => JSON.stringify(json))).map(text => ({
        type: 'application/json',
        bytes: Buffer.from(text),
      })),
    },
  )
  return {
    record,
    any,
    linkage: sent(
      jsonApi,
      linkage.map(data => ({ data })),
    ),
    operations: fc.oneof(
      { weight: 3, arbitrary: sent(atomic, operations) },
      { weight: 1, arbitrary: sent(atomic, disturbed(operations)) },
    ),
  }
}
