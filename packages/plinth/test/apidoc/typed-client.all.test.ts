// A client with types made from the document: it compiles, it catches mistakes, and it works against the service.

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { extent } from '@plinth/test-kit/extent'
import { startService, type TestService } from '@plinth/test-kit/service'
import openapiTs, { astToString } from 'openapi-typescript'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

// Beside the packages that it imports.
const near = fileURLToPath(new URL('.', import.meta.url))
const run = promisify(execFile)

/** The types of all paths take long to make: `npm test` makes those that the program uses. */
const used = /^\/api\/(rest\/hosts|management\/health)/

let service: TestService
let folder: string
beforeAll(async () => {
  service = await startService('sqlite')
  folder = await mkdtemp(join(near, 'typed-client-'))
  const { body } = await service.as('anonymous').get('/api/openapi.json')
  const paths = Object.entries(body.paths).filter(([path]) => used.test(path))
  const document = extent({ ...body, paths: Object.fromEntries(paths) }, body)
  await writeFile(join(folder, 'api.ts'), astToString(await openapiTs(document)))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(compilerSettings))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await service.stop()
})

const compilerSettings = {
  compilerOptions: {
    strict: true,
    target: 'ES2022',
    module: 'NodeNext',
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    types: ['node'],
  },
  include: ['*.ts'],
}

const compile = async (program: string): Promise<string> => {
  await writeFile(join(folder, 'program.ts'), program)
  const tsc = fileURLToPath(new URL('../../../node_modules/typescript-native/bin/tsc', import.meta.url))
  const { stdout } = await run(process.execPath, [tsc, '-p', folder]).catch((failed: { stdout: string }) => failed)
  return stdout
}

const program = `import createClient from 'openapi-fetch'
import type { paths } from './api.ts'

const client = createClient<paths, 'application/json'>({
  baseUrl: process.argv[2] ?? '',
  headers: { Authorization: 'Basic ' + btoa('admin:admin'), Accept: 'application/json', 'Content-Type': 'application/json' },
})
const made = await client.POST('/api/rest/hosts', { body: { name: 'typed.example' } })
const pk = made.data?.pk ?? ''
const found = await client.GET('/api/rest/hosts', { params: { query: { filter: 'name==typed*', _ps: 5 } } })
const names: (string | undefined)[] = found.data?.content?.map(host => host.name) ?? []
const removed = await client.DELETE('/api/rest/hosts/{pk}', { params: { path: { pk } } })
const health = await client.GET('/api/management/health')
console.log(JSON.stringify({ made: made.response.status, names, removed: removed.response.status, health: health.data?.status }))

/** Lines that are never called: the compiler must refuse each. */
export const mistakes = async () => {
  // @ts-expect-error there is no such path
  await client.GET('/api/rest/none')
  // @ts-expect-error the identifier is missing
  await client.DELETE('/api/rest/hosts/{pk}')
  // @ts-expect-error a name is a text
  await client.POST('/api/rest/hosts', { body: { name: 3 } })
  // @ts-expect-error no page has such a field
  found.data?.contents
}
`

test('a program against the types compiles, mistakes do not, and it does what it says', async () => {
  expect(await compile(program)).toBe('')
  const args = ['--import', import.meta.resolve('tsx'), join(folder, 'program.ts'), service.url]
  const { stdout } = await run(process.execPath, args)
  expect(JSON.parse(stdout)).toEqual({ made: 201, names: ['typed.example'], removed: 204, health: 'UP' })
})
