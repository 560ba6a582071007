// Every store test runs on both databases, each test file on databases of its own.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase } from '@plinth/test-kit/postgres'
import { afterAll, beforeAll, describe, inject } from 'vitest'
import type { Registry } from '../../src/core/model/registry.ts'
import { createStore } from '../../src/core/store/create-store.ts'
import type { Store } from '../../src/core/store/store.ts'

export const dialects = ['sqlite', 'postgres'] as const

type TestStoreOptions = Pick<Parameters<typeof createStore>[0], 'clock' | 'eventFields'>

/** A store with the registry's tables; `store()` is there once the tests run. */
export const openStore = (
  dialect: (typeof dialects)[number],
  registry: Registry,
  options: TestStoreOptions = {},
): (() => Store) => {
  let folder: string
  let store: Store | undefined
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plinth-store-'))
    const url = dialect === 'postgres' ? await createDatabase(inject('postgresUrl')) : join(folder, 'test.db')
    store = await createStore({ url, registry, ...options })
    await store.apply(await store.plan())
  })
  afterAll(async () => {
    await store?.close()
    await rm(folder, { recursive: true, force: true })
  })
  return () => store as Store
}

/** The same tests on each database. */
export const onEachDatabase = (
  registry: Registry,
  tests: (store: () => Store) => void,
  options?: TestStoreOptions,
): void => {
  for (const dialect of dialects) describe(`on ${dialect}`, () => tests(openStore(dialect, registry, options)))
}
