// `plinth export` and `plinth import`.

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { resourceTitle } from '../../core/describe/names.ts'
import { replaceFile } from '../../core/durable-files.ts'
import { toWritten } from '../../core/formats/files/columns.ts'
import type { FileFormat } from '../../core/formats/files/file-format.ts'
import { fileFormatOf } from '../../core/formats/files/index.ts'
import type { Caller } from '../../core/model/caller.ts'
import type { Resource } from '../../core/model/resource.ts'
import type { Command, CommandContext } from '../../core/module.ts'
import { nearestName } from '../../core/nearest-name.ts'
import { Problem } from '../../core/problem.ts'
import { readParameters } from '../../core/query/parameters.ts'
import { contextFor } from '../../core/rest/context.ts'
import { readExport, rowsOf } from '../../core/rest/export.ts'
import type { Platform } from '../../core/rest/platform.ts'
import { importFile } from './import-records.ts'
import { type ImportEvent, listOf, readMapping, readMode } from './import-task.ts'
import { RefusalReasons } from './refusal-reasons.ts'

const textOption = ({ options }: CommandContext, name: string): string | undefined => {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

const inWords = ({ message, details }: Problem): string =>
  details.errors?.map(({ member: field, message }) => [field, message].filter(Boolean).join(' ')).join('; ') || message

const toLine = (event: ImportEvent): string => {
  switch (event.kind) {
    case 'refused':
      return `line ${event.row.line}: ${inWords(event.problem)}`
    case 'progress':
      return `${event.rows}${event.of === null ? '' : ` of ${event.of}`} rows${event.step === 'check' ? ' checked' : ''}`
    case 'ignored':
      return `The column ${event.column} is ignored: only the service writes ${event.field}.`
    case 'resumed':
      return `An earlier import of this file was cut off: going on behind line ${event.line}.`
    case 'unchecked':
      return `The rows behind line ${event.line} were not checked: ${event.why}.`
  }
}

/** A service that runs on the same file looks more often than that whether it can write. */
const restMs = 5

/** Summarises the reasons, where several rows are refused for the same one. */
const toSummary = (reasons: RefusalReasons): readonly string[] =>
  reasons
    .list()
    .filter(({ count }) => count > 1)
    .map(({ member: field, message, count, values }) => {
      const examples = values.length > 0 ? `: ${values.join(', ')}` : ''
      return `${count} × ${[field, message].filter(Boolean).join(' ')}${examples}`
    })

export const exchangeCommands: readonly Command[] = [
  {
    name: 'export',
    about: 'export the records of a resource to a file',
    arguments: [{ name: '<resource>', about: 'such as countries' }],
    options: [
      { name: '--fields <names>', about: 'fields, separated by commas; author.name for the label of a related record' },
      { name: '--filter <rsql>', about: 'as in searches: name==G*' },
      { name: '--sort <names>', about: 'as in searches: -name' },
      { name: '--format <name>', about: 'csv, ndjson, json or xlsx; by default the ending of the file, or csv' },
      { name: '--bom', about: 'begin CSV with a byte order mark, by which Excel knows UTF-8' },
      { name: '--out <file>', about: 'standard output unless given' },
    ],
    run: (context, name = '') =>
      context.withPlatform(async platform => {
        const out = textOption(context, 'out')
        const count = await exportRecords(platform, {
          resource: findResource(platform, name),
          format: fileFormatOf(textOption(context, 'format'), out),
          fields: textOption(context, 'fields'),
          filter: textOption(context, 'filter'),
          sort: textOption(context, 'sort'),
          out,
          hasMark: context.options.bom === true,
        })
        context.printProgress(`${count} records exported.`)
      }),
  },
  {
    name: 'import',
    about: 'import records of a resource from a file',
    arguments: [{ name: '<resource>' }, { name: '<file>' }],
    options: [
      { name: '--key <fields>', about: 'fields that identify the record of a row, such as isbn or pk' },
      { name: '--mode <mode>', about: 'create, update or upsert; by default upsert with --key, and create without' },
      { name: '--map <pairs>', about: 'columns of the file to fields: Title=title,Author=author.name' },
      { name: '--format <name>', about: 'csv, ndjson, json or xlsx; by default the ending of the file' },
      { name: '--all-or-nothing', about: 'import no row if one is refused' },
      { name: '--dry-run', about: 'check every row and write nothing' },
    ],
    run: (context, name = '', file = '') =>
      context.withPlatform(async platform => {
        const key = listOf(textOption(context, 'key'))
        const reasons = new RefusalReasons()
        const counts = await importFile(contextFor(platform, commandLine), {
          resource: findResource(platform, name),
          file,
          format: fileFormatOf(textOption(context, 'format'), file),
          key,
          mode: readMode(textOption(context, 'mode'), key),
          mapping: readMapping(listOf(textOption(context, 'map'))),
          isAtomic: context.options.allOrNothing === true,
          isDryRun: context.options.dryRun === true,
          restMs: platform.store.isEmbedded ? restMs : undefined,
          report: event => {
            context.printProgress(toLine(event))
            if (event.kind === 'refused') reasons.add(event)
          },
        })
        for (const line of toSummary(reasons)) context.printProgress(line)
        const { created, changed, unchanged, refused } = counts
        const isTrial = context.options.dryRun === true ? 'Nothing was written. It would be: ' : ''
        context.print(`${isTrial}${created} created, ${changed} changed, ${unchanged} unchanged, ${refused} refused.`)
        if (refused > 0) throw new Problem('invalid', 'Some rows were refused.')
      }),
  },
]

// `plinth export`: writes the records of a resource to a file, batch by batch.

/** The user of the command line can do everything on this machine, and is no user of the service. */
export const commandLine: Caller = { pk: null, username: 'command line', roles: new Set(['ROLE_ADMIN']) }

/** Problem `bad_request` when there is no such resource, or it is internal. */
export const findResource = ({ registry }: Platform, name: string): Resource => {
  const found = registry.published(name)
  if (found) return found
  const published = registry.resources.filter(({ definition }) => !definition.internal).map(one => one.name)
  const nearest = nearestName(published, name)
  const hint = nearest === undefined ? '`GET /api/rest` lists the resources.' : `Did you mean '${nearest}'?`
  throw new Problem('bad_request', `There is no resource '${name}'. ${hint}`)
}

export interface ExportTask {
  readonly resource: Resource
  readonly format: FileFormat
  /** The fields as the parameters of a search. */
  readonly fields?: string | undefined
  readonly filter?: string | undefined
  readonly sort?: string | undefined
  /** Standard output unless given. */
  readonly out?: string | undefined
  /** CSV begins with a byte order mark. */
  readonly hasMark?: boolean
}

/** Gives the number of records. */
export const exportRecords = async (platform: Platform, task: ExportTask): Promise<number> => {
  const { resource, format, fields, filter, sort, out, hasMark = false } = task
  if (hasMark && !format.canHaveMark) throw new Problem('bad_request', 'A byte order mark is for CSV only.')
  const context = contextFor(platform, commandLine)
  const parameters = new URLSearchParams({
    ...(fields && { fields }),
    ...(filter && { filter }),
    ...(sort && { sort }),
  })
  const { columns, query } = readExport(context, resource, readParameters(parameters.toString()))
  let count = 0
  const onBatch = (records: number): void => {
    count += records
  }
  const rows = rowsOf(context, { resource, columns, query, onBatch })
  const title = resourceTitle(resource, 'en')
  const file = Readable.from(format.write({ title, columns: columns.map(toWritten), rows, hasMark }))
  if (out === undefined) await pipeline(file, process.stdout, { end: false })
  else await replaceFile(out, file)
  return count
}
