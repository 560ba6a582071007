import { describe, expect, test } from 'vitest'
import { type Description, shape } from '../model/description.ts'
import { faultsOf, input, resolved } from './openapi.fixture.ts'
import { type DescribedEndpoint, type JsonObject, toOpenApi } from './openapi.ts'
import { filmAsShown } from './sample.fixture.ts'

describe('what modules add', () => {
  const description: Description = {
    id: 'rateFilm',
    summary: 'Rate a film',
    path: { pk: 'The film.' },
    query: { stars: { says: 'From 1 to 5.', schema: { type: 'integer' }, required: true } },
    body: { schema: shape('Rating') },
    answers: { 200: { says: 'The rating.', value: shape('Rating'), headers: { 'Set-Cookie': 'Remembers it.' } } },
  }
  const endpoint = (more: Partial<DescribedEndpoint> = {}): DescribedEndpoint => ({
    method: 'PUT',
    path: '/api/rest/films/{pk}/rating',
    tag: 'ratings',
    description,
    ...more,
  })
  const schemas = { Rating: { type: 'object', properties: { stars: { type: 'integer' } } } }
  const described = (...endpoints: DescribedEndpoint[]) =>
    toOpenApi({ ...input, schemas, endpoints, tags: [{ name: 'ratings', description: 'Opinions.' }] })
  const pathsOf = (document: JsonObject) => document.paths as Record<string, Record<string, JsonObject>>

  test('an endpoint is described whole, under the resource in its path', () => {
    const more = described(endpoint())
    expect(pathsOf(more)['/api/rest/films/{pk}/rating']?.put).toMatchObject({
      operationId: 'rateFilm',
      tags: ['films'],
      parameters: [
        { name: 'pk', in: 'path', required: true, description: 'The film.' },
        { name: 'stars', in: 'query', required: true, schema: { type: 'integer' } },
      ],
      requestBody: { required: true, content: { 'application/json': { schema: shape('Rating') } } },
      responses: {
        200: {
          headers: { 'Set-Cookie': { description: 'Remembers it.' } },
          content: { 'application/json': { schema: shape('Rating') }, 'application/xml': { schema: shape('Rating') } },
        },
        415: { $ref: '#/components/responses/Problem415' },
      },
    })
    expect(more.components).toHaveProperty('schemas.Rating')
    expect(JSON.stringify(more.tags)).not.toContain('ratings')
  })

  test('a pk below a resource has the pattern of its identifiers unless the endpoint gives its own', () => {
    const schemaOf = (path: Description['path']) => {
      const operation = pathsOf(described(endpoint({ description: { ...description, ...(path && { path }) } })))
      return operation['/api/rest/films/{pk}/rating']?.put?.parameters
    }
    expect(schemaOf({ pk: 'The film.' })).toMatchObject([{ name: 'pk', schema: { format: 'uuid' } }, {}])
    expect(schemaOf({ pk: { says: 'A film or its code.', schema: { type: 'string' } } })).toMatchObject([
      { name: 'pk', description: 'A film or its code.', schema: { type: 'string' } },
      {},
    ])
  })

  test('a body that names the record needs its pk or id', () => {
    const replacement: Description = { ...description, body: { record: 'films', mode: 'replace', namesRecord: true } }
    const operation = pathsOf(described(endpoint({ path: '/api/rest/films', description: replacement })))
    const { requestBody } = (operation['/api/rest/films']?.put ?? {}) as unknown as {
      requestBody?: { content: Record<string, { schema: object }> }
    }
    const schema = requestBody?.content['application/json']?.schema ?? {}
    const faults = (body: object) => faultsOf(resolved(schema), body)
    const { pk } = filmAsShown
    const body = { title: 'Alien', inPrint: true }
    expect(faults({ ...body, pk })).toEqual([])
    expect(faults({ ...body, id: pk })).toEqual([])
    expect(faults(body)).toEqual(expect.arrayContaining([" must have required property 'pk'"]))
  })

  test('away from the resources it is shown under its module', () => {
    const more = described(endpoint({ path: '/api/ratings' }))
    expect(pathsOf(more)['/api/ratings']?.put?.tags).toEqual(['ratings'])
    expect(more.tags).toContainEqual({ name: 'ratings', description: 'Opinions.' })
  })

  test('a known path gets further methods', () => {
    const more = described(endpoint({ path: '/api/rest/films' }))
    expect(Object.keys(pathsOf(more)['/api/rest/films'] ?? {})).toEqual(expect.arrayContaining(['get', 'post', 'put']))
  })

  test('a method of the model can be replaced', () => {
    const more = described(endpoint({ path: '/api/rest/films', method: 'GET' }))
    expect(pathsOf(more)['/api/rest/films']?.get?.operationId).toBe('rateFilm')
  })

  test('records are answered and taken as by the generic operations', () => {
    const record: Description = {
      id: 'swapFilm',
      summary: 'Swap',
      family: 'jsonApi',
      open: true,
      body: { record: 'films', mode: 'replace' },
      answers: { 200: { says: 'The film.', item: 'films' }, 201: { says: 'Some films.', page: 'films' } },
      problems: [409],
    }
    const operation = pathsOf(described(endpoint({ path: '/api/swap', description: record })))['/api/swap']?.put
    expect(operation).toMatchObject({
      security: [{ basic: [] }, {}],
      responses: {
        200: { $ref: '#/components/responses/FilmItemA' },
        201: { $ref: '#/components/responses/FilmPageA' },
      },
    })
    expect(Object.keys(operation?.responses ?? {}).sort()).toEqual([
      '200',
      '201',
      '400',
      '406',
      '409',
      '413',
      '415',
      'default',
    ])
    expect(JSON.stringify(operation?.requestBody)).toContain('#/components/schemas/FilmReplaceDocument')
  })

  const other = (more: Partial<Description>) => ({ ...description, ...more })
  test.each([
    ['a method twice', [endpoint(), endpoint()], /methods of \/api\/rest\/films\/\{pk\}\/rating named 'put'/],
    ['an operation name twice', [endpoint({ description: other({ id: 'getFilm' }) })], /'getFilm'/],
    [
      'a reference to nothing',
      [endpoint({ description: other({ body: { schema: shape('None') } }) })],
      /schemas\/None/,
    ],
    ['an unknown resource', [endpoint({ description: other({ answers: { 200: { says: '', item: 'x' } } }) })], /'x'/],
  ] as [string, DescribedEndpoint[], RegExp][])('%s stops the start', (_, endpoints, message) => {
    expect(() => described(...endpoints)).toThrow(message)
  })

  test('a shape of a module may not take the name of one of the model', () => {
    expect(() => toOpenApi({ ...input, schemas: { Film: {} } })).toThrow(/two schemas named 'Film'/)
  })
})
