// Imports over HTTP: the same work as `plinth import`, with the permissions of the caller.

import { FairQueue } from '../../core/fair-queue.ts'
import { chooseMediaType } from '../../core/formats/choose-media-type.ts'
import { fileFormats } from '../../core/formats/files/index.ts'
import type { Request } from '../../core/http/exchange.ts'
import { boolean, choice, integer, text, textList } from '../../core/model/fields.ts'
import type { JsonSchema } from '../../core/model/json.ts'
import type { Resource } from '../../core/model/resource.ts'
import { defineShape, list, object } from '../../core/model/shape.ts'
import { Problem } from '../../core/problem.ts'
import type { Context } from '../../core/rest/context.ts'
import { type Call, contentBody, defineEndpoint } from '../../core/rest/endpoint.ts'
import { toValueAnswer } from '../../core/rest/endpoint-answers.ts'
import { chooseLanguage, languageFor } from '../../core/rest/language.ts'
import { administrator, type Permit } from '../../core/rest/permits.ts'
import { callerKey } from '../../core/rest/rate-limiter.ts'
import type { Received } from '../../core/rest/work.ts'
import type { Service } from '../../core/service.ts'
import { importFile } from './import-records.ts'
import { createImportLog, importResult } from './import-result.ts'
import { type ImportEvent, type ImportFileTask, importModes, listOf, readMapping, readMode } from './import-task.ts'
import { previewFile } from './preview-file.ts'
import { exchangeSettings, type ReceivedFile, receiveFile } from './receive-file.ts'
import type { ImportWords } from './refusal-reasons.ts'

const must = { required: true } as const

const filePreview = defineShape('ImportPreview', {
  columns: list(
    object({ header: text(must), field: text({ about: 'The field of the same name or title; null for none.' }) }),
    must,
  ),
  rows: list(object({ line: integer(must), cells: textList(must) }), must),
})

const resourceOf = ({ platform }: Context, { params }: Request): Resource => {
  const found = platform.registry.published(params.resource ?? '')
  if (!found) throw new Problem('not_found', 'There is no such resource.')
  return found
}

/** Administrators only: an import is a long series of writes. Each row is checked on its own besides. */
const mayImport: Permit = (context, request) => {
  administrator(context, request)
  const resource = resourceOf(context, request)
  const { access } = context.platform
  if (access.decide(resource, 'patch', context.caller) === false) access.permit(resource, 'create', context.caller)
}

const binary: JsonSchema = { type: 'string', format: 'binary' }

const fileBody = contentBody(Object.fromEntries(fileFormats.map(({ mediaType }) => [mediaType, binary])))

const query = {
  key: text({ max: 1000, about: 'Fields that identify the record of a row, separated by commas, such as `isbn`.' }),
  mode: choice(importModes, {
    about:
      '`create` refuses records that exist, `update` those that do not. By default `upsert` with a key, else `create`.',
  }),
  map: list(text({ max: 1000 }), {
    about: 'A column of the file and its field: `Author=author.name`. `Remark=` leaves a column out.',
  }),
  dryRun: boolean({ default: false, about: 'Check all rows and write nothing.' }),
  allOrNothing: boolean({
    default: false,
    about: 'Import no row if one is refused. All rows are checked first, and then written in one transaction.',
  }),
}

type ImportCall = Call<'/api/import/{resource}', typeof query>

const progressType = 'application/x-ndjson'

/** The imports of one instance that run and wait. An import is a long series of writes. */
const [importsAtOnce, importsWaiting] = [2, 20]

export const importEndpoints = ({ config }: Service) => {
  const imports = new FairQueue({ places: importsAtOnce, waiting: importsWaiting })
  const ofCaller = new FairQueue({ placesPerCaller: 1, waitingPerCaller: 2 })
  const { maxRowsAtOnce, maxSecondsAtOnce } = config.get(exchangeSettings)

  const toTask = ({ context, request, query }: ImportCall, file: ReceivedFile): Omit<ImportFileTask, 'report'> => {
    const key = listOf(query.key ?? '')
    return {
      resource: resourceOf(context, request),
      file: file.path,
      format: file.format,
      key,
      mode: readMode(query.mode, key),
      mapping: readMapping(query.map ?? []),
      isAtomic: query.allOrNothing,
      isDryRun: query.dryRun,
      maxRowsAtOnce,
      maxSecondsAtOnce,
      signal: request.signal,
    }
  }

  const run = async (call: ImportCall, file: ReceivedFile, report: (event: ImportEvent) => void) => {
    const task = toTask(call, file)
    const { context, caller, request } = call
    const inTurn = () => imports.run(() => importFile(context, { ...task, report }))
    return ofCaller.run(inTurn, { caller: callerKey(caller, request) })
  }

  const receive = async (call: ImportCall): Promise<Received> => {
    const file = await receiveFile(config, call.request)
    const log = createImportLog(call.query.dryRun, wordsFor(call))
    try {
      charge(call, file)
      toTask(call, file)
      if (chooseMediaType(call.request.headers.accept, ['application/json', progressType]) === progressType) {
        const body = log.stream(report => run(call, file, report), file.remove)
        return done(file, { kind: 'bytes', mediaType: progressType, body, headers: { 'Cache-Control': 'no-store' } })
      }
      const counts = await run(call, file, log.add)
      await file.remove()
      return done(file, toValueAnswer(importResult, log.result(counts)))
    } catch (error) {
      await file.remove()
      throw error
    }
  }

  return [
    defineEndpoint({
      method: 'POST',
      path: '/api/import/{resource}',
      id: 'importRecords',
      summary: 'Import records from a file',
      description:
        'Each row is written with your permissions, as a single request would write it. Rows that are refused are reported with their line and fields. An import that was cut off goes on behind the last row when the same file is sent again.',
      params: { resource: 'The resource, such as `countries`.' },
      access: mayImport,
      query,
      body: fileBody,
      answers: {
        200: {
          about:
            'What was imported. As `application/x-ndjson`: progress and refused rows as they come, and the result in the last line.',
          content: { 'application/json': importResult, [progressType]: { type: 'string' } },
        },
      },
      problems: [400, 401, 403, 404, 409, 413, 415, 422, 503],
      receive,
    }),
    defineEndpoint({
      method: 'POST',
      path: '/api/import/{resource}/preview',
      id: 'previewImport',
      summary: 'Read the columns and first rows of a file',
      params: { resource: 'The resource, such as `countries`.' },
      access: mayImport,
      body: fileBody,
      answers: { 200: { about: 'The columns, and the first 10 rows as text.', value: filePreview } },
      problems: [400, 401, 403, 404, 413, 415],
      receive: async ({ context, request }) => {
        const file = await receiveFile(config, request)
        try {
          const language = languageFor(context, request)
          const resource = resourceOf(context, request)
          const preview = await previewFile(context, { path: file.path, format: file.format, resource, language })
          return done(file, toValueAnswer(filePreview, preview))
        } finally {
          await file.remove()
        }
      },
    }),
  ]
}

/** English keeps the short messages of problems. */
const wordsFor = ({ context, request }: Pick<ImportCall, 'context' | 'request'>): ImportWords => {
  const { texts } = context.platform
  const language = chooseLanguage(request.headers['accept-language'], texts.languages)
  return {
    problem: problem => {
      if (language === 'en') return problem.plainMessage
      const { title, detail = title } = texts.words(problem, language)
      return detail
    },
    fault: fault => texts.fault(fault, language).message,
  }
}

/** The work is done by then, or is done while the answer is sent. */
const done = ({ sha256 }: ReceivedFile, answer: Awaited<ReturnType<Received['run']>>): Received => ({
  digest: sha256,
  run: async () => answer,
  settle: async () => {},
})

/** The bytes of a row that cost a unit of query costs to write, about. */
const bytesPerUnit = 20

const charge = ({ context, request }: ImportCall, { size }: ReceivedFile): void =>
  context.platform.rateLimiter.charge(context.caller, request, Math.ceil(size / bytesPerUnit))
