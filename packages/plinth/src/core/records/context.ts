// Who reads or writes records, with which permissions, and in which transaction.

import type { Access } from '../model/access.ts'
import type { Caller, Sender } from '../model/caller.ts'
import { linkFiltersOf } from '../model/link-filters.ts'
import type { Filter, LinkFilters } from '../model/query.ts'
import type { RecentSignInCheck } from '../model/recent-sign-in.ts'
import type { TransactionRecords } from '../model/records.ts'
import type { Resource } from '../model/resource.ts'
import type { RunningCode } from '../model/running-code.ts'
import type { Reader, Transaction } from '../model/transaction.ts'
import type { Visibility } from '../model/views.ts'
import type { Store } from '../store/store.ts'

export interface RecordPlatform {
  readonly access: Pick<Access, 'permit' | 'mayWrite' | 'visibility'>
  readonly store: Reader & Pick<Store, 'transaction' | 'single'>
  readonly clock: () => Date
  /** Typed records for hooks. */
  readonly recordsIn: (transaction: InTransaction) => TransactionRecords
  readonly mustBeRecent: RecentSignInCheck
}

export interface RecordContext {
  readonly platform: RecordPlatform
  readonly caller: Caller
  /** Is null for what no request asked for. */
  readonly sender: Sender | null
  readonly visibility: Visibility
  /** The transaction that the operation is part of, when it is part of one. */
  readonly tx: Transaction | null
  /** The service acts for itself: permissions do not apply. */
  readonly isService?: boolean
  /** State machines admit any step: for records of the past. */
  readonly anyState?: boolean
  /** The code that runs is a hook. */
  readonly isHook?: boolean
  /** The time of the writes; by default the beginning of the transaction. */
  readonly now?: Date
  /** The code of the application that it is part of: an endpoint or a job. */
  readonly code?: RunningCode
  /** What the endpoint requires of its caller. Each of its transactions begins with this check. */
  readonly requires?: 'recentSignIn'
}

/** The same within a transaction. */
export type InTransaction<C extends RecordContext = RecordContext> = C & { readonly tx: Transaction }

/**
 * Runs the work in the transaction under way, or in one of its own.
 *
 * @example
 * const copies = await inTransaction(context, async transaction => {
 *   const { pk } = await recordsWithin(transaction).create(books, { title: 'Middlemarch' })
 *   return recordsWithin(transaction).count(loans, { where: { book: pk } })
 * })
 */
export const inTransaction = <C extends RecordContext, T>(
  context: C,
  work: (transaction: InTransaction<C>) => Promise<T>,
  options?: Parameters<Store['transaction']>[2],
): Promise<T> => {
  const { tx, caller, sender, platform, code } = context
  if (tx) return work({ ...context, tx })
  const by = { caller, sender, now: momentOf(context) }
  return platform.store.transaction(
    own => {
      const inside = { ...context, tx: own }
      const checked = context.requires ? whenRecent(work) : work
      return code ? runAsPartOf(code, inside, checked) : checked(inside)
    },
    by,
    options,
  )
}

const whenRecent =
  <C extends InTransaction, T>(work: (transaction: C) => Promise<T>) =>
  async (transaction: C): Promise<T> => {
    await mustHaveSignedInRecently(transaction)
    return work(transaction)
  }

/** Problem `recent_sign_in_required` unless the caller has been verified lately, as the transaction sees it. */
export const mustHaveSignedInRecently = (transaction: InTransaction): Promise<void> => {
  const { platform, caller } = transaction
  return platform.mustBeRecent(platform.recordsIn(asService(transaction)), caller, momentOf(transaction))
}

/** Runs work as part of code. When its time is over nothing is committed: its caller has got an error. */
const runAsPartOf = async <C extends InTransaction, T>(
  code: RunningCode,
  transaction: C,
  work: (transaction: C) => Promise<T>,
): Promise<T> => {
  const value = await transaction.tx.activity.during(code, () => work(transaction))
  code.mustBeRunning()
  return value
}

interface WriteEnd {
  readonly decision: true | Filter
  /** The hooks that follow the write. */
  readonly following: readonly unknown[]
}

/** Is the write all that is left to do in a transaction of its own? Then both are committed in one journey to the database. */
export const endsWithWrite = (
  context: RecordContext,
  { tx }: InTransaction,
  { decision, following }: WriteEnd,
): boolean => !context.tx && !context.code && decision === true && following.length === 0 && tx.activity.isQuiet

export const momentOf = ({ now, tx, platform }: RecordContext): Date => now ?? tx?.by.now ?? platform.clock()

/** The same context without permissions. */
export const asService = <C extends RecordContext>(context: C): C => ({
  ...context,
  platform: { ...context.platform, access: unrestricted },
  visibility: fullVisibility,
  isService: true,
})

/** What the service does by itself has no caller who could have signed in. */
export const withoutCaller: RecentSignInCheck = () => Promise.resolve()

export const unrestricted: RecordPlatform['access'] = {
  permit: () => true,
  mayWrite: () => true,
  visibility: () => fullVisibility,
}

export const fullVisibility: Visibility = {
  records: () => true,
  view: resource => ({ resource, fields: resource.fields }),
}

/** What records may show of related ones; undefined for everything. */
export const linkFiltersFor = (
  { isService, visibility }: RecordContext,
  resource: Resource,
): LinkFilters | undefined => (isService ? undefined : linkFiltersOf(visibility.view(resource), visibility))
