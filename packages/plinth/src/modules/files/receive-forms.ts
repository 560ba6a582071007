// A record and the files of its fields in one multipart body. Files are staged as they arrive, and stored when none of them is invalid.

import { apiSettings } from '../../core/config/api-settings.ts'
import { appSettings } from '../../core/config/service-settings.ts'
import type { Config } from '../../core/config/settings.ts'
import { type FileField, fileFieldsOf } from '../../core/model/file-fields.ts'
import { inTransaction } from '../../core/records/context.ts'
import { recordsWithin } from '../../core/records/records.ts'
import type { Body } from '../../core/rest/body.ts'
import type { Context } from '../../core/rest/context.ts'
import type { FormTask, ReceiveForm } from '../../core/rest/forms.ts'
import type { SentFiles } from '../../core/rest/sent-files.ts'
import { type FieldFile, faultsOfFiles, maxFiles, mustBeField, recordUploads, toFieldFiles } from './field-files.ts'
import { toFileName } from './file-types.ts'
import { dropLoose, type FileQuota, holdQuota, mustBeWithinQuota, mustHaveQuotaLeft } from './files.ts'
import { createFormTexts } from './form-texts.ts'
import { storageFor } from './open-storage.ts'
import type { Storage } from './storage.ts'
import { fileSettings } from './storage-settings.ts'
import { keysOf, putLoose, stageFiles } from './store-files.ts'

export const createFormReceiver = (config: Config): ReceiveForm => {
  const storageOf = storageFor(config)
  const { dataDir } = config.get(appSettings)
  const { maxBytes, maxBytesPerUser } = config.get(fileSettings)
  const { maxBodyBytes } = config.get(apiSettings)
  return async (context, task) => {
    const storage = await storageOf()
    const quota = { uploader: context.caller.pk, maxBytes: maxBytesPerUser }
    const form = await storeForm(context, { task, storage, dataDir, maxBytes, maxBodyBytes, quota })
    const { body, digest, stored } = form
    const settle = () => dropLoose(context.platform.records, storage, keysOf(stored))
    try {
      if (stored.length > 0) await recordFiles(context, { resource: task.resource.name, stored, quota })
    } catch (error) {
      await settle()
      throw error
    }
    return { body, digest, settle }
  }
}

interface FormPlace {
  readonly task: FormTask
  readonly storage: Storage
  readonly dataDir: string
  readonly maxBytes: number
  readonly maxBodyBytes: number
  readonly quota: FileQuota
}

interface StoredForm {
  readonly body: Body
  readonly digest: string
  /** The files; none where one of them is invalid. */
  readonly stored: readonly FieldFile[]
}

/** The files of a form are loose content until a record has them. */
const storeForm = async (context: Context, place: FormPlace): Promise<StoredForm> => {
  const { task, storage, dataDir, maxBytes, maxBodyBytes, quota } = place
  const { records, bodies } = context.platform
  const fields = fileFieldsOf(task.resource)
  const texts = createFormTexts(task, maxBodyBytes)
  const staging = {
    ...{ dataDir, maxBytes, maxFiles, others: texts },
    nameOf: async ({ field, fileName }: { readonly field: string; readonly fileName: string }) => {
      mustBeField(context, field, fields)
      await mustHaveQuotaLeft(records, quota)
      return toFileName(fileName, field)
    },
    usefulBytesOf: ({ field }: { readonly field: string }) => fields.get(field)?.limits.maxBytes ?? maxBytes,
  }
  return stageFiles(task.request, staging, async arrived => {
    const body = texts.toBody(bodies.strict)
    const files = toFieldFiles(arrived, fields)
    const sent = await toSentFiles(files, fields)
    const isFaultless = [...sent.values()].every(({ faults }) => faults.length === 0)
    if (isFaultless && files.length > 0) await putLoose({ records, storage }, files)
    const digest = JSON.stringify([texts.sent(), files.map(({ field, name, sha256 }) => [field, name, sha256])])
    return { body: { ...body, files: sent }, digest, stored: isFaultless ? files : [] }
  })
}

const toSentFiles = async (
  files: readonly FieldFile[],
  fields: ReadonlyMap<string, FileField>,
): Promise<ReadonlyMap<string, SentFiles>> => {
  const faults = await faultsOfFiles(files)
  const sent = [...fields].map(([name, { limits }]) => {
    const keys = keysOf(files.filter(({ field }) => field === name))
    return [name, { keys, isList: limits.most !== null, faults: faults.filter(({ field }) => field === name) }] as const
  })
  return new Map(sent.filter(([, { keys }]) => keys.length > 0))
}

interface Recording {
  readonly resource: string
  readonly stored: readonly FieldFile[]
  readonly quota: FileQuota
}

/** Until the record has them, the files are uploads of the caller, and count as such. */
const recordFiles = (context: Context, { resource, stored, quota }: Recording): Promise<void> =>
  inTransaction(context, async transaction => {
    const records = recordsWithin(transaction).asService
    await holdQuota(records, quota)
    await recordUploads(records, resource, stored)
    await mustBeWithinQuota(records, quota)
  })
