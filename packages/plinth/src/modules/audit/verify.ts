// Compares the audit log with its checkpoints.

import type { Platform } from '../../core/rest/platform.ts'
import {
  auditCheckpoints,
  auditStarts,
  type Checkpoint,
  digestOf,
  isGenuine,
  isGenuineStart,
  type LogPosition,
  readEntries,
  type StoredEvent,
  startPk,
} from './checkpoints.ts'
import { auditEvents } from './events.ts'
import type { Signer } from './signer.ts'

export interface AuditFault {
  readonly kind: 'changed' | 'removed' | 'moved' | 'added' | 'checkpoint'
  /** The pk of an event, or the number of a checkpoint. */
  readonly where: string
  readonly says: string
}

export interface AuditFindings {
  readonly faults: readonly AuditFault[]
  readonly events: number
  readonly checkpoints: number
  /** Events that no checkpoint lists yet: those of the last moments. */
  readonly waiting: number
}

interface Log {
  readonly platform: Platform
  readonly signer: Signer
  /** The last checkpoint that is known outside the database. */
  readonly head: LogPosition | null
}

/** The checkpoints that are compared at once. */
const batchSize = 100

export const verifyAudit = async ({ platform, signer, head }: Log): Promise<AuditFindings> => {
  const { records } = platform
  const faults: AuditFault[] = []
  const start = await records.first(auditStarts, { where: { pk: startPk } })
  if (start && !isGenuineStart(start, signer))
    faults.push({
      kind: 'checkpoint',
      where: `${start.number}`,
      says: 'the beginning of the log was not signed by this service',
    })
  let last: LogPosition | null = start
  let [events, checkpoints] = [0, 0]
  let isHeadMet = head === null || (start !== null && start.number >= head.number)
  for await (const some of records.stream(auditCheckpoints, { sort: 'number', batchSize })) {
    for (const one of some) {
      faults.push(...faultsOf(one, { last, signer }))
      if (head?.number === one.number) isHeadMet = head.hash === one.hash
      last = one
    }
    checkpoints += some.length
    const listed = listedIn(some)
    events += listed.size
    faults.push(...(await compareEvents(records, some, listed)))
  }
  faults.push(...(await unlisted(records, { start, last })))
  if (head && !isHeadMet)
    faults.push({
      kind: 'checkpoint',
      where: `${head.number}`,
      says: 'is known to this instance, but it is gone or another one is in its place: the end of the log was cut off or replaced',
    })
  return {
    faults: once(faults),
    events,
    checkpoints,
    waiting: await records.count(auditEvents, { where: { batch: null } }),
  }
}

/** Events with the number of a checkpoint that there is not. Others may list new ones at the same time, so the last number is read later. */
const unlisted = async (
  records: Platform['records'],
  { start, last }: { readonly start: LogPosition | null; readonly last: LogPosition | null },
): Promise<readonly AuditFault[]> => {
  const beyond = { or: [{ batch: { gt: last?.number ?? 0 } }, { batch: { le: start?.number ?? 0 } }] }
  const found = await records.find(auditEvents, { where: beyond, fields: ['batch'] })
  const newest = await records.first(auditCheckpoints, { sort: '-number' })
  const isNew = (batch: number | null) =>
    newest !== null && batch !== null && batch > (last?.number ?? 0) && batch <= newest.number
  return found
    .filter(({ batch }) => !isNew(batch))
    .map(({ pk }) => ({ kind: 'added', where: pk, says: 'is in no checkpoint' }))
}

/** An event that was moved may be met again where it does not belong. */
const once = (faults: readonly AuditFault[]): readonly AuditFault[] =>
  [
    ...new Map(
      faults.toReversed().map(fault => [`${fault.where} ${fault.kind === 'checkpoint' ? fault.says : ''}`, fault]),
    ).values(),
  ].toReversed()

const faultsOf = (
  checkpoint: Checkpoint,
  { last, signer }: { readonly last: LogPosition | null; readonly signer: Signer },
): readonly AuditFault[] => {
  const fault = (says: string): AuditFault => ({ kind: 'checkpoint', where: `${checkpoint.number}`, says })
  const before = (last?.number ?? 0) + 1
  const faults: AuditFault[] = []
  if (!signer.has(checkpoint.key))
    faults.push(fault(`was signed by the key ${checkpoint.key}, which this service does not have`))
  else if (!isGenuine(checkpoint, signer)) faults.push(fault('was changed, or not written by this service'))
  for (let number = before; number < checkpoint.number && number < before + 10; number++)
    faults.push({ kind: 'checkpoint', where: `${number}`, says: 'was removed' })
  if (checkpoint.number === before && checkpoint.previous !== (last?.hash ?? null))
    faults.push(fault('does not follow the one before'))
  return faults
}

interface ListedEvent {
  readonly digest: string
  readonly batch: number
}

const listedIn = (checkpoints: readonly Checkpoint[]): ReadonlyMap<string, ListedEvent> =>
  new Map(
    checkpoints.flatMap(({ number, entries }) =>
      [...readEntries(entries)].map(([pk, digest]): [string, ListedEvent] => [pk, { digest, batch: number }]),
    ),
  )

type Found = StoredEvent & { readonly batch: number | null }

const compareEvents = async (
  records: Platform['records'],
  checkpoints: readonly Checkpoint[],
  listed: ReadonlyMap<string, ListedEvent>,
): Promise<readonly AuditFault[]> => {
  const [first, last] = [checkpoints[0]?.number ?? 0, checkpoints.at(-1)?.number ?? 0]
  const found = new Map<string, Found>()
  for await (const some of records.stream(auditEvents, { where: { batch: { between: [first, last] } } }))
    for (const event of some) found.set(event.pk, event)
  const faults: AuditFault[] = []
  for (const pk of found.keys())
    if (!listed.has(pk)) faults.push({ kind: 'added', where: pk, says: 'is in no checkpoint' })
  for (const [pk, { digest, batch }] of listed) {
    const event = found.get(pk) ?? (await records.first(auditEvents, { where: { pk } }))
    if (!event) faults.push({ kind: 'removed', where: pk, says: `was removed; checkpoint ${batch} lists it` })
    else if (digestOf(event) !== digest) faults.push({ kind: 'changed', where: pk, says: 'was changed' })
    else if (event.batch !== batch) faults.push({ kind: 'moved', where: pk, says: `belongs to checkpoint ${batch}` })
  }
  return faults
}
