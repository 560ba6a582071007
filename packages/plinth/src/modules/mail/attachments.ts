// Attachments of mails: bytes that lie in the outbox until the mail is sent, and files of records, whose content stays in the storage as
// long as a mail waits.

import type { Config } from '../../core/config/settings.ts'
import { isAllowedType } from '../../core/formats/allowed-type.ts'
import type { MailAttachment } from '../../core/mail.ts'
import { defineResource, derivedFrom, type ResourceDefinition } from '../../core/model/define.ts'
import { integer, longText, ref, text } from '../../core/model/fields.ts'
import type { RecordReader, TransactionRecords } from '../../core/model/records.ts'
import type { Reader } from '../../core/model/transaction.ts'
import { Problem } from '../../core/problem.ts'
import type { Service } from '../../core/service.ts'
import { mailSettings, mostAttachmentBytes, type OutgoingAttachment } from './transport.ts'

export const mailAttachments = defineResource('mailAttachments', {
  about: 'The attachments of waiting e-mails.',
  trash: false,
  internal: true,
  stamps: 'none',
  fields: {
    mail: ref('mails', { required: true, onDelete: 'cascade' }),
    /** The place in the order of the mail. */
    position: integer({ required: true }),
    name: text({ required: true, max: 255 }),
    mediaType: text({ required: true, max: 100 }),
    /** In base64, for bytes. */
    content: longText({ max: Math.ceil(mostAttachmentBytes / 3) * 4 }),
    /** The key of the content, for the file of a record. */
    file: text({ max: 36, indexed: true }),
  },
  access: {},
})

interface AttachmentLimits {
  readonly count: number
  /** The size of all attachments of a mail together. */
  readonly bytes: number
  /** Any type if it is empty. */
  readonly types: readonly string[]
}

const limitsOf = Symbol('limits')

/** Code that has nothing but a transaction finds the limits by the definition. */
interface LimitedAttachments extends ResourceDefinition {
  readonly [limitsOf]?: AttachmentLimits
}

export const attachmentsFor = (config: Config): typeof mailAttachments => {
  const { maxAttachments: count, maxAttachmentBytes: bytes, attachmentTypes: types } = config.get(mailSettings)
  return Object.assign(derivedFrom(mailAttachments, { ...mailAttachments }), { [limitsOf]: { count, bytes, types } })
}

const limitsIn = (reader: Reader): AttachmentLimits => {
  const { definition }: { readonly definition: LimitedAttachments } = reader.resource(mailAttachments)
  return definition[limitsOf] ?? { count: 0, bytes: 0, types: [] }
}

/** Reads the content of a file of a record; problem `not_found` when it is gone. */
export type ReadContent = (service: Service, key: string) => Promise<Buffer>

const bytesOf = (content: Uint8Array | string): Buffer =>
  typeof content === 'string'
    ? Buffer.from(content)
    : Buffer.from(content.buffer, content.byteOffset, content.byteLength)

const sizeOf = (attachment: MailAttachment): number =>
  'file' in attachment ? attachment.file.size : bytesOf(attachment.content).length

const mediaTypePattern = /^[\w.+-]+\/[\w.+-]+$/

/** What code does wrong is an error, since no caller can correct it; what is too large may come from a caller. */
const mustBeSound = (attachments: readonly MailAttachment[], { count, bytes, types }: AttachmentLimits): void => {
  if (attachments.length > count) throw new Problem('unprocessable', `An e-mail can have at most ${count} attachments.`)
  if (attachments.reduce((sum, one) => sum + sizeOf(one), 0) > bytes)
    throw new Problem('unprocessable', `The attachments of an e-mail can have at most ${bytes} bytes together.`)
  for (const one of attachments) {
    const { name, mediaType } = 'file' in one ? one.file : one
    if (!mediaTypePattern.test(mediaType))
      throw new Error(`the attachment '${name}' needs a media type, such as application/pdf`)
    if (types.length > 0 && !isAllowedType(mediaType, types))
      throw new Problem('unprocessable', `Attachments of e-mails can be ${types.join(', ')}, and not ${mediaType}.`)
  }
}

/** On one line, and without the parts of a path. */
const plainName = (name: string): string => {
  const last =
    name
      .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
      .split(/[\\/]/)
      .at(-1) ?? ''
  return last.trim().slice(0, 200) || 'attachment'
}

/** Keeps the attachments in the transaction that queues the mail. */
export const keepAttachments = async (
  records: TransactionRecords,
  mail: string,
  attachments: readonly MailAttachment[],
): Promise<void> => {
  if (attachments.length === 0) return
  mustBeSound(attachments, limitsIn(records.tx))
  await records.createMany(
    mailAttachments,
    attachments.map((one, position) => {
      const { name, mediaType } = 'file' in one ? one.file : one
      const known = { mail, position, name: plainName(name), mediaType }
      return 'file' in one
        ? { ...known, file: one.file.pk }
        : { ...known, content: bytesOf(one.content).toString('base64') }
    }),
  )
}

export const attachmentsOf = async (
  service: Service,
  mail: string,
  readContent: ReadContent,
): Promise<readonly OutgoingAttachment[]> => {
  const kept = await service.platform.records.find(mailAttachments, { where: { mail }, sort: 'position' })
  return Promise.all(
    kept.map(async ({ name, mediaType, content, file }) => ({
      ...{ name, mediaType },
      content: file === null ? Buffer.from(content ?? '', 'base64') : await readContent(service, file),
    })),
  )
}

/** Does a waiting mail have the file? */
export const isAttached = async (records: RecordReader, file: string): Promise<boolean> =>
  (await records.first(mailAttachments, { where: { file } })) !== null
