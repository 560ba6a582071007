// `plinth types`: the types of a running service, short and quick to check, and true to its responses.

import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { testAll } from '@plinth/test-kit/extent'
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

const compile = async (file: string): Promise<string> => {
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }))
  const { stdout } = await run(process.execPath, [compiler, '-p', folder, '--diagnostics']).catch(
    ({ stdout }: { stdout: string }) => ({ stdout }),
  )
  return stdout
}

testAll('the types of the platform are short, compile and catch mistakes', async () => {
  const file = join(folder, 'plinth.ts')
  await writeTypes(await fetchOpenapi(service.url), { out: file })
  await writeFile(join(folder, 'uses.ts'), uses)
  const stdout = await compile('uses.ts')
  expect(stdout).not.toContain('error TS')
  expect(Number(/^Check time:\s+([\d.]+)s/m.exec(stdout)?.[1])).toBeLessThan(2)
  const lines = (await writeTypes(await fetchOpenapi(service.url))).split('\n')
  expect(lines.length).toBeLessThan(2000)
  expect(Math.max(...lines.map(line => line.length))).toBeLessThan(400)
})

test('types of a few resources name others by their pk', async () => {
  const file = join(folder, 'films.ts')
  await writeTypes(await fetchOpenapi(service.url), { out: file, only: 'films, filmActors' })
  const text = await readFile(file, 'utf8')
  expect(text).toContain('listFilmsHistory')
  expect(text).not.toContain('payments')
  await writeFile(
    join(folder, 'films-uses.ts'),
    `
import { createClient } from '${clientSource}'
import { endpoints, type Schema } from './films.ts'

const client = createClient<Schema>({ url: 'https://service.example', endpoints })

export const uses = async (): Promise<void> => {
  const film = await client.films.get('1', { include: ['pricingStrategy', 'filmActors'] })
  const pk: string = film.pricingStrategy.pk
  const actor: string | undefined = film.filmActors[0]?.lastName
  // @ts-expect-error
  await client.films.get('1', { include: ['pricingStrategy.films'] })
  // @ts-expect-error
  film.pricingStrategy.name
  // @ts-expect-error
  await client.payments.find()
  console.log(pk, actor)
}
`,
  )
  expect(await compile('films-uses.ts')).not.toContain('error TS')
  await expect(writeTypes(await fetchOpenapi(service.url), { only: 'flims' })).rejects.toThrow("did you mean 'films'?")
})
