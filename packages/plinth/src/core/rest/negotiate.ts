// What the answer to a request will be written in: a format, or a file, by `Accept`.

import { accepts } from '../formats/choose-media-type.ts'
import type { FileFormat } from '../formats/files/file-format.ts'
import type { Format } from '../formats/format.ts'
import { formats, valueFormats } from '../formats/index.ts'
import { chooseFile, chooseFormat } from '../formats/negotiate.ts'
import type { Request } from '../http/exchange.ts'
import type { Caller } from '../model/caller.ts'
import type { Resource } from '../model/resource.ts'
import { Problem } from '../problem.ts'
import type { Addressed } from './work.ts'

/** A request, and what was agreed on for its answer. */
export interface Negotiated {
  readonly request: Request
  readonly format: Format
  readonly file: FileFormat | null
  /** The resource whose rules on origins apply. */
  readonly resource: Resource | null
  /** The caller accepts none of the types that the endpoint can write. */
  readonly unacceptable: Problem | null
  /** Is null until the caller is authenticated. */
  caller: Caller | null
}

export const negotiate = (work: Addressed, request: Request): Negotiated => {
  const { resource, format, produces, problemFormat, writesFiles } = work
  const { accept } = request.headers
  const offered = request.promisesValue ? valueFormats : formats
  const chosen = chooseFormat(accept, format, offered)
  const own = produces === undefined ? null : [produces].flat()
  const file = writesFiles ? chooseFile(accept) : null
  const fits = file !== null || (own ? own.some(type => accepts(accept, type)) : chosen !== null)
  return {
    request,
    resource,
    file,
    // Every format has a place for problems.
    format: problemFormat ?? chosen ?? chooseFormat(accept, format) ?? format,
    unacceptable: fits ? null : notAcceptable(own ?? offered.map(({ mediaType }) => mediaType)),
    caller: null,
  }
}

const notAcceptable = (mediaTypes: readonly string[]): Problem =>
  new Problem('not_acceptable', `Accept ${mediaTypes.join(' or ')}.`)
