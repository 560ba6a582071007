// Forms: a record, and files for its fields, in one multipart body. The module of files reads them.

import type { Format } from '../formats/format.ts'
import type { Request } from '../http/exchange.ts'
import type { Resource } from '../model/resource.ts'
import type { Body } from './body.ts'
import type { Context } from './context.ts'

/** A form that has arrived whole. Its files are stored, unless one of them is invalid. */
export interface ReceivedForm {
  readonly body: Body
  /** The same for the same content, and for no other. */
  readonly digest: string
  /** Removes the files that no record has. Called once the result is certain, and not at all where it stays unknown. */
  readonly settle: () => Promise<void>
}

export interface FormTask {
  readonly request: Request
  readonly resource: Resource
  /** The format of a record that does not say. */
  readonly format: Format
}

export type ReceiveForm = (context: Context, task: FormTask) => Promise<ReceivedForm>
