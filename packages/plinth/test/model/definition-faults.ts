// Starts a service with definitions, and reads the faults that it reports.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, createApp, loadConfig, modules } from '@plinth/test-kit/platform'
import { expect, onTestFinished } from 'vitest'
import { explain } from '../../src/cli/explain.ts'
import { defineResource, type ResourceDefinition, type ResourceOptions } from '../../src/core/model/define.ts'
import type { Field } from '../../src/core/model/field.ts'
import { defineModule, type Module } from '../../src/core/module.ts'

export const access = { read: 'true', write: 'caller.signedIn' }

export type AnyResourceOptions = Partial<ResourceOptions<Record<string, Field>>>

export const resource = (
  name: string,
  fields: Record<string, Field>,
  options: AnyResourceOptions = {},
): ResourceDefinition => defineResource(name, { about: name, access, ...options, fields })

export const library = (...resources: ResourceDefinition[]): Module =>
  defineModule({ name: 'library', about: 'A library.', resources })

/** Options as they come from JavaScript, or from a value whose type is wider than it looks. */
export const untyped = (options: object): never => options as never

export const createWith = async (...added: Module[]): Promise<App> => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-definitions-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const overrides = { 'app.dataDir': folder, 'app.log.level': 'fatal', 'server.port': '0' }
  return createApp(loadConfig({ env: {}, cwd: folder, overrides }), { modules: [...modules, ...added] })
}

/** What the person at the terminal reads, without the places in the source. */
export const failureOf = async (...added: Module[]): Promise<string[]> =>
  (await failureWithPlaces(...added)).map(line =>
    line.replace(/,? ?\(?[\w./-]*test\/model\/[\w.-]+\.ts:\d+\)/, found => (found.startsWith(',') ? ')' : '')),
  )

export const failureWithPlaces = async (...added: Module[]): Promise<string[]> => {
  const failure = await createWith(...added).then(
    async app => {
      await app.close()
      return 'It was created.'
    },
    error => explain(error, undefined),
  )
  return failure.split('\n')
}

/** The mistake of a field `title` of books. */
export const faultOf = async (field: Field): Promise<string | undefined> => {
  const [, fault, ...more] = await failureOf(library(resource('books', { title: field })))
  expect(more).toEqual([])
  return fault
}

export const at = '  - books.title (module library): '
