// What an endpoint does with a request: directly, after slow preparation, or with a body that is read as it arrives.

import type { FileFormat } from '../formats/files/file-format.ts'
import type { Format } from '../formats/format.ts'
import type { Request } from '../http/exchange.ts'
import type { Resource } from '../model/resource.ts'
import type { Answer } from './answer.ts'
import type { Body } from './body.ts'
import type { Context, TransactionContext } from './context.ts'
import type { Permit } from './permits.ts'

export interface Task<R extends Resource | null = Resource | null> {
  /** The resource of the endpoint. */
  readonly resource: R
  readonly request: Request
  readonly body: Body
  /** The format of the answer. Paging parameters in its links follow it. */
  readonly format: Format
  /** The file that is asked for instead of an answer in a format. */
  readonly file: FileFormat | null
}

export interface Addressed<R extends Resource | null = Resource | null> {
  /** The resource whose rules on origins apply; null for paths that belong to no resource. */
  readonly resource: R
  /** The format of answers and bodies that do not say. */
  readonly format: Format
  readonly takesBody: boolean
  /** The media types of an answer that has forms of its own, such as an export; `*\/*` for files of any type. */
  readonly produces?: string | readonly string[]
  /** The media types of files are accepted, too: the answer is a list of records. */
  readonly writesFiles?: boolean
  /** The format of problems, whatever else the caller accepts; that of answers unless given. */
  readonly problemFormat?: Format
  /** Counts wrong or expired credentials as none: for endpoints by which callers sign in. */
  readonly forgiving?: boolean
  readonly permit?: Permit
  /** `run` decides who may read, so 406 waits for it. Only for work that changes nothing. */
  readonly permitsInRun?: boolean
}

export interface DirectWork<R extends Resource | null = Resource | null> extends Addressed<R> {
  /** Says that it changes nothing and opens nothing that must be closed, so its answer may be thrown away. */
  readonly onlyReads?: boolean
  run(context: Context, task: Task<R>): Promise<Answer> | Answer
}

/** The rest of the work, in the transaction, once the slow part is done. */
export type LastStep = (context: Context) => Promise<Answer>

/** Does slow work before it writes, such as hashing a password. */
export interface PreparedWork<R extends Resource | null = Resource | null> extends Addressed<R> {
  prepare(context: Context, task: Task<R>): Promise<LastStep>
}

/** Reads the body as it arrives. */
export interface StreamedWork extends Addressed {
  readonly receive: (context: Context, task: Task) => Promise<Received>
}

/** A body that was read whole before anything is done: only then can it be compared with that of an earlier request. */
export interface Received {
  /** The same for the same content, and for no other. */
  readonly digest: string
  /** Does the work in the transaction. Not called if the request was done before. */
  readonly run: (transaction: TransactionContext) => Promise<Answer>
  /** Removes what is not needed. Called once the result is certain, and not at all where it stays unknown. */
  readonly settle: () => Promise<void>
}

export type EndpointWork = DirectWork | PreparedWork | StreamedWork
