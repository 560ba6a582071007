// `plinth export` and `plinth import`.

import { fileFormatOf } from '../../core/formats/files/index.ts'
import type { Command, CommandContext } from '../../core/module.ts'
import { Problem } from '../../core/problem.ts'
import { contextFor } from '../../core/rest/platform.ts'
import { commandLine, exportRecords, findResource } from './export-records.ts'
import { listOf, readMapping, readMode } from './import-options.ts'
import { type ImportEvent, importFile } from './import-records.ts'

const textOption = ({ options }: CommandContext, name: string): string | undefined => {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

const inWords = ({ message, details }: Problem): string =>
  details.errors?.map(({ member, message }) => [member, message].filter(Boolean).join(' ')).join('; ') || message

const toLine = (event: ImportEvent): string => {
  switch (event.kind) {
    case 'refused':
      return `line ${event.line}: ${inWords(event.problem)}`
    case 'progress':
      return `${event.rows} rows`
    case 'resumed':
      return `An earlier import of this file was cut off: going on behind line ${event.line}.`
    case 'unchecked':
      return `The rows behind line ${event.line} were not checked: ${event.why}.`
  }
}

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
        const counts = await importFile(contextFor(platform, commandLine), {
          resource: findResource(platform, name),
          file,
          format: fileFormatOf(textOption(context, 'format'), file),
          key,
          mode: readMode(textOption(context, 'mode'), key),
          mapping: readMapping(listOf(textOption(context, 'map'))),
          isAtomic: context.options.allOrNothing === true,
          isDryRun: context.options.dryRun === true,
          report: event => context.printProgress(toLine(event)),
        })
        const { created, changed, unchanged, refused } = counts
        const isTrial = context.options.dryRun === true ? 'Nothing was written. It would be: ' : ''
        context.print(`${isTrial}${created} created, ${changed} changed, ${unchanged} unchanged, ${refused} refused.`)
        if (refused > 0) throw new Problem('invalid', 'Some rows were refused.')
      }),
  },
]
