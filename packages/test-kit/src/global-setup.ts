// For the whole run: temporary files in memory, and one PostgreSQL server, on which each test file makes databases of its own.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { useMemoryFolder } from './memory-folder.ts'
import { startPostgres } from './postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string
    /** The folder in which processes share the data that services start with. */
    preparedFolder: string
  }
}

/** Hundreds of databases live for seconds each: to visit them all in turn would keep a processor busy. */
const settings = ['autovacuum=off']

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const removeFolder = await useMemoryFolder()
  const server = await startPostgres(settings)
  project.provide('postgresUrl', server.url)
  const prepared = await mkdtemp(join(tmpdir(), 'plinth-prepared-'))
  project.provide('preparedFolder', prepared)
  return async () => {
    await server.stop()
    await rm(prepared, { recursive: true, force: true })
    await removeFolder()
  }
}
