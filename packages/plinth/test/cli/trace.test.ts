// `plinth trace`: one request with its stages, and a database that stays as it was.

import { runHere } from '@plinth/test-kit/command-here'
import { featureDatabases } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import { keepDatabase } from '@plinth/test-kit/kept-database'
import { beforeAll, describe, expect, test } from 'vitest'

interface TraceJson {
  readonly route: string
  readonly caller: string | null
  readonly status: number
  readonly statements: number
  readonly ms: number
  readonly cold: boolean
  readonly stages: readonly {
    readonly stage: string
    readonly at: number
    readonly ms: number
    readonly statements: readonly { readonly sql: string; readonly rows: number }[]
  }[]
}

describe.each(featureDatabases(import.meta.url))('plinth trace on %s', database => {
  let settings: string[]
  beforeAll(async () => {
    const kept = await keepDatabase(database)
    settings = Object.entries(kept.settings).map(([name, value]) => `--${name}=${value}`)
    return () => kept.remove()
  })

  const trace = (...args: readonly string[]) =>
    runHere(['trace', ...args, ...settings, '--app.demo', '--app.log.level=error'])

  const traceJson = async (...args: readonly string[]): Promise<TraceJson> => {
    const { code, out, err } = await trace(...args, '--json')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    return JSON.parse(out)
  }

  test('a page is shown with the stages of a read, in order, and the statements of each', async () => {
    const found = await traceJson('GET', '/api/rest/countries?filter=name==G*&sort=-name', '--as', 'staff')
    expect(found).toMatchObject({ route: 'GET /api/rest/countries', caller: 'staff', status: 200, cold: false })
    // What takes a few microseconds is a part of the stage before.
    const long = new Set(found.stages.map(({ stage }) => stage))
    for (const short of ['auth/authenticate', 'model/access']) long.delete(short)
    expect([...long]).toEqual([
      ...['http/server', 'rest/pipeline', 'query/read-query', 'rest/query-budget'],
      ...['store/sql/read', 'rest/write-answer', 'http/write'],
    ])
    const read = found.stages.find(({ stage }) => stage === 'store/sql/read')
    // The page and its total are read at the same time, so either may come first.
    const [page] = read?.statements.filter(({ sql }) => !/^SELECT count\(/.test(sql)) ?? []
    expect(page?.sql).toMatch(/^SELECT .*countries/s)
    expect(page?.rows).toBeGreaterThan(3)
    for (const [at, stage] of found.stages.entries()) {
      const next = found.stages[at + 1]
      if (next) expect(stage.at + stage.ms).toBeCloseTo(next.at, 2)
    }
    const { out } = await trace('get', '/api/rest/countries?filter=name==G*', '--cold')
    expect(out).toMatch(/^GET \/api\/rest\/countries\?filter=name==G\*\nRoute: +GET \/api\/rest\/countries\n/)
    // The list of columns is cut, and the tables stay.
    expect(out).toMatch(
      /store\/sql\/read +query → records\n +\d+\.\d+ ms, \d+ rows: SELECT b\."pk", .{9,60}, … FROM "countries" AS b /,
    )
    expect(out).toMatch(/in all, \d+ statements?\n\nThis was the first request of its process/)
  })

  test('a write needs --rollback, and leaves nothing', async () => {
    const body = ['--data', JSON.stringify({ name: 'Atlantis', pk: 'XX' }), '--as', 'admin']
    const refused = await trace('POST', '/api/rest/countries', ...body)
    expect(refused).toMatchObject({ code: 1, out: '' })
    expect(refused.err).toContain('With --rollback it runs')
    const found = await traceJson('POST', '/api/rest/countries', ...body, '--rollback')
    expect(found).toMatchObject({ caller: 'admin', status: 201 })
    const writing = found.stages.find(({ stage }) => stage === 'store/transaction')
    expect(found.cold).toBe(true)
    expect(writing?.statements.map(({ sql }) => sql).join('\n')).toMatch(/INSERT INTO .*countries/)
    const after = await traceJson('GET', '/api/rest/countries/XX', '--as', 'admin')
    expect(after.status).toBe(404)
  })

  testAll('credentials and headers count as in any request', async () => {
    const found = await traceJson('GET', '/api/rest/users', '--user', 'simple:wrong', '--cold')
    expect(found.status).toBe(401)
    expect(found.stages.map(({ stage }) => stage)).not.toContain('store/sql/read')
    const { out } = await trace('GET', '/api/rest/users', '--user', 'admin:admin', '--header', 'Accept: text/nothing')
    expect(out).toMatch(/^Response: 406, application\/vnd\.api\+json, \d+ bytes\nProblem: {2}not_acceptable: \w/m)
  })

  testAll('a user who does not exist, a wrong method and a wrong path are refused', async () => {
    expect(await trace('GET', '/api/rest/users', '--as', 'nobody')).toMatchObject({ code: 1, out: '' })
    expect((await trace('FETCH', '/api/rest/users')).err).toContain("'FETCH' is none of the methods")
    expect((await trace('GET', 'api/rest/users')).err).toContain('is not a path')
  })
})
