// `plinth types`: the types of a running service, short and quick to check, and true to its responses.

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fetchOpenapi, writeTypes } from '../../src/cli/api-description.ts'

const run = promisify(execFile)
const compiler = fileURLToPath(new URL('../../../../node_modules/typescript-native/bin/tsc', import.meta.url))
const clientSource = fileURLToPath(new URL('../../../client/src/index.ts', import.meta.url))

let service: TestService
let folder: string

beforeAll(async () => {
  service = await startService('sqlite')
  folder = await mkdtemp(join(tmpdir(), 'plinth-types-'))
})
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true })
})

const compilerOptions = {
  noEmit: true,
  strict: true,
  noUnusedLocals: true,
  skipLibCheck: true,
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  allowImportingTsExtensions: true,
  types: [],
}

const uses = `
import { createClient } from '${clientSource}'
import { endpoints, type Schema } from './plinth.ts'

const client = createClient<Schema>({ url: 'https://service.example', endpoints })

export const right = async (): Promise<void> => {
  const entry = await client.filmInventoryEntries.get('1', { include: ['film.pricingStrategy', 'currentRental'] })
  const rating: 'unrated' | 'G' | 'PG' | 'PG-13' | 'R' | 'NC-17' = entry.film.mpaaRating
  const price: number | null = entry.film.pricingStrategy.initialPrice
  const kept: string | null | undefined = entry.currentRental?.dueDate
  const owed: number | undefined = (await client.clients.get('1')).balance
  const copies = await client.films.relatedMany('1', 'copies', { where: { available: true } })
  const barcode: string | null | undefined = copies.items[0]?.barcode
  await client.films.find({ where: { filmCategories: { name: 'Drama' } }, sort: '-pricingStrategy.name' })
  await client.films.create({ title: 'A', pricingStrategy: { pk: '1' } })
  const user = await client.endpoints.readCurrentUser()
  const roles: readonly { authority: string }[] = user.roles
  const known = await client.users.get('1', { fields: ['username', 'metadata'] })
  const theme: string | undefined = known.metadata?.theme
  console.log(rating, price, kept, owed, barcode, roles, theme)
}

export const wrong = async (): Promise<void> => {
  // @ts-expect-error
  await client.films.create({ title: 'A' })
  // @ts-expect-error
  await client.films.find({ where: { mpaaRating: 'X' } })
  // @ts-expect-error
  await client.films.create({ title: 'A', pricingStrategy: '1', copyCount: 1 })
  // @ts-expect-error
  ;(await client.userCredentials.get('1')).password
  // @ts-expect-error
  await client.sessions.find()
  // @ts-expect-error
  await client.endpoints.createTokens({ body: { username: 'ada' } })
}
`

test('the types of the platform are short, compile and catch mistakes', async () => {
  const file = join(folder, 'plinth.ts')
  await writeTypes(await fetchOpenapi(service.url), file)
  await writeFile(join(folder, 'uses.ts'), uses)
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['uses.ts'] }))
  const { stdout } = await run(process.execPath, [compiler, '-p', folder, '--diagnostics']).catch(
    ({ stdout }: { stdout: string }) => ({ stdout }),
  )
  expect(stdout).not.toContain('error TS')
  expect(Number(/^Check time:\s+([\d.]+)s/m.exec(stdout)?.[1])).toBeLessThan(2)
  const lines = (await writeTypes(await fetchOpenapi(service.url), undefined)).split('\n')
  expect(lines.length).toBeLessThan(2000)
  expect(Math.max(...lines.map(line => line.length))).toBeLessThan(400)
})
