// For the whole run: temporary files in memory, and one PostgreSQL server, on which each test file makes databases of its own.

import type { TestProject } from 'vitest/node'
import { useMemoryFolder } from './memory-folder.ts'
import { startPostgres } from './postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const removeFolder = await useMemoryFolder()
  const server = await startPostgres()
  project.provide('postgresUrl', server.url)
  return async () => {
    await server.stop()
    await removeFolder()
  }
}
