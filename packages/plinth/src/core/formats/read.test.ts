import { describe, expect, test } from 'vitest'
import { Problem } from '../problem.ts'
import { fieldOf, registry } from './example.fixture.ts'
import type { Format } from './format.ts'
import { formatsByName } from './index.ts'
import { readLinkage } from './json-api-read.ts'

const filmResource = registry.resource('films')

const reading = (format: Format) => (body: unknown) => {
  if (!format.read) throw new Error(`${format.name} takes no bodies`)
  return format.read(body, filmResource)
}

/** The status, and where the first fault stands. */
const problemOf = (read: () => unknown): [number, string | undefined] => {
  try {
    read()
  } catch (error) {
    if (error instanceof Problem) return [error.status, error.details.errors?.[0]?.pointer]
    throw error
  }
  throw new Error('nothing was refused')
}

describe.each([formatsByName.json, formatsByName.hal])('a body in $name', format => {
  const read = reading(format)

  test('gives its fields without identifiers and links', () => {
    const input = read({ pk: 'f1', title: 'Alien', shelf: { pk: 's1' }, links: [], _links: {}, _embedded: {} })
    expect(input.pk).toBe('f1')
    expect({ ...input.fields }).toEqual({ title: 'Alien', shelf: { pk: 's1' } })
    expect(input.refusesUnknown).toBe(false)
  })

  test.each([
    [{}, undefined],
    [{ id: 'a' }, 'a'],
    [{ pk: 'a', id: 'a' }, 'a'],
    [{ pk: null, id: 'b' }, 'b'],
  ])('%j is about the record %s', (body, pk) => {
    expect(read(body).pk).toBe(pk)
  })

  test.each([
    [null, ''],
    [[], ''],
    ['text', ''],
    [7, ''],
    [undefined, ''],
    [{ pk: 'a', id: 'b' }, '/id'],
    [{ pk: 7 }, '/pk'],
    [{ id: {} }, '/id'],
  ])('%j is refused', (body, pointer) => {
    expect(problemOf(() => read(body))).toEqual([400, pointer])
  })

  test('points to fields by the rules of JSON Pointer', () => {
    expect(read({}).pointer('a/b~c')).toBe('/a~1b~0c')
  })

  test('takes __proto__ for a name like any other', () => {
    const { fields } = read(JSON.parse('{"__proto__": {"title": "evil"}, "constructor": 1}'))
    expect(fields.title).toBeUndefined()
    expect(Object.keys(fields)).toEqual(['__proto__', 'constructor'])
    expect(fields.toString).toBeUndefined()
  })
})

describe('a document in JSON:API', () => {
  const read = reading(formatsByName['json-api'])

  test('gives attributes and relations as fields, related records as pks', () => {
    const input = read({
      data: {
        type: 'films',
        id: 'f1',
        lid: 'local',
        attributes: { title: 'Alien', odd: 1 },
        relationships: {
          shelf: { data: { type: 'shelves', id: 's1' } },
          actors: { data: [{ type: 'actors', id: 'a1' }] },
          unheard: { data: null },
        },
      },
    })
    expect(input.pk).toBe('f1')
    expect({ ...input.fields }).toEqual({
      title: 'Alien',
      odd: 1,
      shelf: 's1',
      actors: ['a1'],
      unheard: { data: null },
    })
    expect(input.refusesUnknown).toBe(true)
    expect(['title', 'odd', 'shelf', 'copies', 'unheard', 'a/b'].map(input.pointer)).toEqual([
      '/data/attributes/title',
      '/data/attributes/odd',
      '/data/relationships/shelf',
      '/data/relationships/copies',
      '/data/relationships/unheard',
      '/data/attributes/a~1b',
    ])
  })

  test('clears a to-one relation by null', () => {
    expect(read({ data: { type: 'films', relationships: { shelf: { data: null } } } }).fields.shelf).toBeNull()
  })

  const film = (rest: object) => ({ data: { type: 'films', ...rest } })

  test.each([
    ['no object', [], 400, '/data'],
    ['no data', {}, 400, '/data'],
    ['inherited data', Object.create({ data: { type: 'films' } }), 400, '/data'],
    ['data that is a list', { data: [] }, 400, '/data'],
    ['data that is null', { data: null }, 400, '/data'],
    ['no type', { data: {} }, 400, '/data/type'],
    ['a foreign type', { data: { type: 'shelves' } }, 409, '/data/type'],
    ['an id that is no text', film({ id: 7 }), 400, '/data/id'],
    ['attributes that are a list', film({ attributes: [] }), 400, '/data/attributes'],
    ['relationships that are null', film({ relationships: null }), 400, '/data/relationships'],
    ['a relation among attributes', film({ attributes: { shelf: 's1' } }), 400, '/data/attributes/shelf'],
    ['the pk among attributes', film({ attributes: { pk: 'f1' } }), 400, '/data/attributes/pk'],
    [
      'an attribute among relations',
      film({ relationships: { title: { data: null } } }),
      400,
      '/data/relationships/title',
    ],
    ['a relation without data', film({ relationships: { shelf: {} } }), 400, '/data/relationships/shelf'],
    [
      'a list for a to-one relation',
      film({ relationships: { shelf: { data: [] } } }),
      400,
      '/data/relationships/shelf/data',
    ],
    [
      'null for a to-many relation',
      film({ relationships: { actors: { data: null } } }),
      400,
      '/data/relationships/actors/data',
    ],
    [
      'a related record without id',
      film({ relationships: { actors: { data: [{ type: 'actors', lid: 'x' }] } } }),
      400,
      '/data/relationships/actors/data/0',
    ],
    [
      'a related record of a foreign type',
      film({ relationships: { shelf: { data: { type: 'actors', id: 'a1' } } } }),
      422,
      '/data/relationships/shelf/data/type',
    ],
  ])('with %s is refused', (_what, body, status, pointer) => {
    expect(problemOf(() => read(body))).toEqual([status, pointer])
  })

  test('names every misplaced field at once', () => {
    const body = film({ attributes: { shelf: 1, copies: 2 }, relationships: { cost: {} } })
    expect(() => read(body)).toThrow(
      expect.objectContaining({
        code: 'invalid',
        details: { errors: [expect.anything(), expect.anything(), expect.anything()] },
      }),
    )
  })

  test('takes __proto__ for a name like any other', () => {
    const body = JSON.parse('{"data":{"type":"films","attributes":{"__proto__":{"title":"evil"}}}}')
    expect(Object.keys(read(body).fields)).toEqual(['__proto__'])
    expect(read(body).fields.title).toBeUndefined()
  })
})

describe('a relationship document', () => {
  const shelf = fieldOf('films', 'shelf')
  const copies = fieldOf('films', 'copies')

  test.each([
    [{ data: null }, shelf, null],
    [{ data: { type: 'shelves', id: 's1' } }, shelf, 's1'],
    [{ data: [] }, copies, []],
    [{ data: [{ type: 'copies', id: 'c1', meta: {} }] }, copies, ['c1']],
  ])('%j names the records', (body, field, expected) => {
    expect(readLinkage(body, field)).toEqual(expected)
  })

  test.each([
    [{}, shelf, 400, '/data'],
    [null, shelf, 400, '/data'],
    [{ data: [] }, shelf, 400, '/data'],
    [{ data: 's1' }, shelf, 400, '/data'],
    [{ data: null }, copies, 400, '/data'],
    [{ data: [null] }, copies, 400, '/data/0'],
    [{ data: [{ type: 'films', id: 'f1' }] }, copies, 422, '/data/0/type'],
  ])('%j is refused', (body, field, status, pointer) => {
    expect(problemOf(() => readLinkage(body, field))).toEqual([status, pointer])
  })
})

test('XML is no format for bodies', () => {
  expect(formatsByName.xml.read).toBeUndefined()
})
