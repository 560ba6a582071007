// `plinth export` and `plinth import`.

import type { Command, CommandContext } from '../../core/module.ts'
import { Problem } from '../../core/problem.ts'
import { exportRecords, findResource } from './export-records.ts'
import { formatOf } from './file-formats.ts'
import { importFile } from './import-records.ts'
import type { ImportMode } from './import-row.ts'

const textOption = ({ options }: CommandContext, name: string): string | undefined => {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

const listOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')

/** `Title=title,Author=author.name`; a column that is mapped to nothing is left out. */
const readMapping = (text: string): ReadonlyMap<string, string> =>
  new Map(
    listOf(text).map(pair => {
      const equals = pair.lastIndexOf('=')
      if (equals < 1) throw new Problem('bad_request', `--map takes column=field, but got '${pair}'.`)
      return [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()]
    }),
  )

const modes: readonly ImportMode[] = ['create', 'update', 'upsert']

const readMode = (given: string | undefined, key: readonly string[]): ImportMode => {
  const mode = modes.find(one => one === (given ?? (key.length > 0 ? 'upsert' : 'create')))
  if (!mode) throw new Problem('bad_request', `--mode takes one of: ${modes.join(', ')}.`)
  if (mode !== 'create' && key.length === 0)
    throw new Problem('bad_request', `--mode ${mode} needs --key: the fields that identify the record of a row.`)
  return mode
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
      { name: '--format <name>', about: 'csv, ndjson or json; by default the ending of the file, or csv' },
      { name: '--out <file>', about: 'standard output unless given' },
    ],
    run: (context, name = '') =>
      context.withPlatform(async platform => {
        const out = textOption(context, 'out')
        const fields = textOption(context, 'fields')
        const count = await exportRecords(platform, {
          resource: findResource(platform, name),
          format: formatOf(textOption(context, 'format'), out),
          fields: fields === undefined ? undefined : listOf(fields),
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
      { name: '--format <name>', about: 'csv, ndjson or json; by default the ending of the file' },
      { name: '--all-or-nothing', about: 'import no row if one is refused' },
      { name: '--dry-run', about: 'check every row and write nothing' },
    ],
    run: (context, name = '', file = '') =>
      context.withPlatform(async platform => {
        const key = listOf(textOption(context, 'key') ?? '')
        const counts = await importFile(platform, {
          resource: findResource(platform, name),
          file,
          format: formatOf(textOption(context, 'format'), file),
          key,
          mode: readMode(textOption(context, 'mode'), key),
          mapping: readMapping(textOption(context, 'map') ?? ''),
          isAtomic: context.options.allOrNothing === true,
          isDryRun: context.options.dryRun === true,
          report: context.printProgress,
        })
        const { created, changed, unchanged, refused } = counts
        const isTrial = context.options.dryRun === true ? 'Nothing was written. It would be: ' : ''
        context.print(`${isTrial}${created} created, ${changed} changed, ${unchanged} unchanged, ${refused} refused.`)
        if (refused > 0) throw new Problem('invalid', 'Some rows were refused.')
      }),
  },
]
