// A library whose records are exported to files and imported from them, by the functions that the commands call.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestedDatabase } from '@plinth/test-kit/databases'
import { startLibrary } from '@plinth/test-kit/library'
import { expect } from 'vitest'
import { fileFormatOf } from '../../src/core/formats/files/index.ts'
import { contextFor } from '../../src/core/rest/context.ts'
import { commandLine, exportRecords, findResource } from '../../src/modules/exchange/commands.ts'
import { importFile } from '../../src/modules/exchange/import-records.ts'
import type { ImportEvent, ImportFileTask } from '../../src/modules/exchange/import-task.ts'

export const json = { Accept: 'application/json' }

const inShort = (event: ImportEvent): string => {
  if (event.kind === 'ignored') return `ignored ${event.column}`
  if (event.kind !== 'refused') return `${event.kind} ${'line' in event ? event.line : event.rows}`
  const { message, details } = event.problem
  const faults = details.errors?.map(({ member: field, message }) => `${field ?? ''} ${message}`).join('; ')
  return `line ${event.row.line}: ${faults || message}`
}

export const startExchange = async (database: TestedDatabase) => {
  const service = await startLibrary(database)
  const folder = await mkdtemp(join(tmpdir(), 'plinth-exchange-'))
  const empty = (...names: string[]) =>
    service.app.platform.store.transaction(async tx => {
      for (const name of names) await tx.removeWhere(tx.resource(name), { op: 'const', value: true })
    })
  const create = async (resource: string, body: object) => {
    const answer = await service.as('admin').post(`/api/rest/${resource}`, body, json)
    expect(answer).toHaveStatus(201)
    return answer.body
  }
  const all = async (resource: string) => {
    const { content } = (await service.as('admin').get(`/api/rest/${resource}?_ps=500&sort=pk`, json)).body
    return content.map(
      ({
        version,
        createdDate,
        lastModifiedDate,
        createdBy,
        lastModifiedBy,
        ...rest
      }: object & Record<string, unknown>) => rest,
    )
  }
  const exportTo = async (file: string, resource: string, more: object = {}) => {
    const out = join(folder, file)
    const { platform } = service.app
    const task = { resource: findResource(platform, resource), format: fileFormatOf(undefined, out), out, ...more }
    const count = await exportRecords(platform, task)
    return { count, out }
  }
  const importFrom = async (file: string, resource: string, more: Partial<ImportFileTask> = {}) => {
    const { platform } = service.app
    const reported: string[] = []
    const counts = await importFile(contextFor(platform, commandLine), {
      resource: findResource(platform, resource),
      file,
      format: fileFormatOf(undefined, file),
      key: [],
      mode: 'create',
      mapping: new Map(),
      isAtomic: false,
      isDryRun: false,
      report: event => reported.push(inShort(event)),
      ...more,
    })
    return { counts, reported }
  }
  const write = async (name: string, ...lines: string[]) => {
    const file = join(folder, name)
    await writeFile(file, lines.join('\n'))
    return file
  }
  const stop = async () => {
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return { service, folder, empty, create, all, exportTo, importFrom, write, stop }
}

export type ExchangedLibrary = Awaited<ReturnType<typeof startExchange>>
