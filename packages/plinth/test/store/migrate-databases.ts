// Empty databases of both dialects, and models to migrate them to.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase } from '@plinth/test-kit/postgres'
import { inject } from 'vitest'
import { defineResource, type ResourceDefinition, type ResourceOptions } from '../../src/core/model/define.ts'
import type { Field } from '../../src/core/model/field.ts'
import { createRegistry, type Registry } from '../../src/core/model/registry.ts'
import { openDatabase } from '../../src/core/store/databases.ts'
import type { Driver } from '../../src/core/store/driver.ts'

export const dialects = ['sqlite', 'postgres'] as const

export interface TestDatabase {
  /** Another connection to the same database. */
  open(): Promise<Driver>
  remove(): Promise<void>
}

/** Making a database takes far longer than emptying its schema. */
let shared: Promise<string> | undefined

export const createTestDatabase = async (dialect: (typeof dialects)[number]): Promise<TestDatabase> => {
  const opened: Driver[] = []
  const keep = async (opening: Promise<Driver>): Promise<Driver> => {
    const driver = await opening
    opened.push(driver)
    return driver
  }
  const closeAll = () => Promise.all(opened.map(driver => driver.close()))
  if (dialect === 'postgres') {
    shared ??= createDatabase(inject('postgresUrl'))
    const url = await shared
    return {
      open: () => keep(openDatabase(url, { poolSize: 2 })),
      remove: async () => {
        await opened[0]?.script('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
        await closeAll()
      },
    }
  }
  const folder = await mkdtemp(join(tmpdir(), 'plinth-migrate-'))
  return {
    open: () => keep(openDatabase(join(folder, 'test.db'))),
    remove: async () => {
      await closeAll()
      await rm(folder, { recursive: true })
    },
  }
}

/** A resource without stamps, so that tests insert only what they are about. */
export const resource = (
  name: string,
  fields: Record<string, Field>,
  options: Partial<ResourceOptions<Record<string, Field>>> = {},
): ResourceDefinition => defineResource(name, { about: name, access: {}, stamps: 'none', ...options, fields })

export const modelOf = (...definitions: ResourceDefinition[]): Registry => createRegistry(definitions)

/** Runs SQL that may fail, and tells whether it was accepted. */
export const accepts = (driver: Driver, sql: string): Promise<boolean> =>
  driver
    .transaction(connection => connection.script(sql))
    .then(
      () => true,
      () => false,
    )
