// From a request to a response: who asks, in which format, what came of it. The only place that catches problems.

import type { Format } from '../formats/format.ts'
import { formats, formatsByName, valueFormats } from '../formats/index.ts'
import { accepts, chooseFormat } from '../formats/negotiate.ts'
import type { Handler, Request, Response } from '../http/exchange.ts'
import type { Caller } from '../model/caller.ts'
import type { Resource } from '../model/resource.ts'
import { Problem } from '../problem.ts'
import { inTransaction } from '../records/context.ts'
import type { Answer } from './answer.ts'
import { type Body, readBody } from './body.ts'
import { withCors } from './cross-origin.ts'
import { unlessDone, type Work } from './idempotency.ts'
import type { Permit } from './permit.ts'
import { type Context, contextFor } from './platform.ts'
import { type ProblemContext, toProblemResponse } from './problem-response.ts'
import { type Received, settling } from './receive.ts'
import type { FrontDoor } from './service.ts'
import { writeAnswer } from './write-answer.ts'

export interface Task {
  readonly request: Request
  readonly body: Body
  /** What the answer will be written in: paging parameters in its links follow it. */
  readonly format: Format
}

interface Addressed {
  /** Whose rules on origins count; null for addresses that belong to no resource. */
  readonly resource: Resource | null
  /** The format of answers and bodies that do not say. */
  readonly format: Format
  readonly takesBody: boolean
  /** The media types of an answer that has forms of its own, such as an export; `*\/*` for files of any type. */
  readonly produces?: string | readonly string[]
  /** The format of problems, whatever else the caller accepts; that of answers unless given. */
  readonly problemFormat?: Format
  /** Wrong or expired credentials count as none: for addresses by which one signs in. */
  readonly forgiving?: boolean
  readonly permit?: Permit
  /** The work itself decides who may read, so 406 waits for it. Only for work that changes nothing. */
  readonly permitsInRun?: boolean
}

export interface DirectWork extends Addressed {
  /** It leaves no trace and opens nothing that must be closed: whatever came of it may be thrown away. */
  readonly onlyReads?: boolean
  readonly run: (context: Context, task: Task) => Promise<Answer> | Answer
}

/** What is left to do when all is done that others need not wait for. */
export type LastStep = (context: Context) => Promise<Answer>

/** One with slow work to do before it writes, such as the hashing of a password. */
export interface PreparedWork extends Addressed {
  readonly prepare: (context: Context, task: Task) => Promise<LastStep>
}

/** One whose body is read as it arrives. */
export interface StreamedWork extends Addressed {
  readonly receive: (context: Context, task: Task) => Promise<Received>
}

type AnyWork = DirectWork | PreparedWork | StreamedWork

const json = formatsByName.json
const noBody: Body = { format: json, mergePatch: false, json: undefined }

export const respond =
  (service: FrontDoor, endpoint: AnyWork): Handler =>
  request => {
    const asked = negotiate(endpoint, request)
    return catchProblems(service, run(service, endpoint, asked), {
      request,
      format: asked.format,
      resource: endpoint.resource,
    })
  }

interface ProblemPlace extends Pick<Task, 'request' | 'format'>, Pick<ProblemContext, 'locatesRefusals'> {
  /** Whose rules on origins count. */
  readonly resource: Resource | null
}

/** The one place where problems become responses. */
export const catchProblems = async (
  service: FrontDoor,
  work: Promise<Response>,
  place: ProblemPlace,
): Promise<Response> => {
  const { request, resource } = place
  let response: Response
  try {
    response = await work
  } catch (error) {
    response = toProblemResponse(error, request, { ...place, report: service.reportFailure })
  }
  return request.headers.origin === undefined ? response : withCors(service, resource, { request, response })
}

interface Asked extends Pick<Task, 'request' | 'format'> {
  /** None of the types that the endpoint can write is acceptable to the caller. */
  readonly unacceptable: Problem | null
}

const negotiate = ({ format, produces, problemFormat }: AnyWork, request: Request): Asked => {
  const { accept } = request.headers
  const offered = request.promisesValue ? valueFormats : formats
  const chosen = chooseFormat(accept, format, offered)
  const types = [produces ?? offered.map(({ mediaType }) => mediaType)].flat()
  const fits = produces === undefined ? chosen !== null : types.some(type => accepts(accept, type))
  return {
    request,
    // Every format has a place for problems.
    format: problemFormat ?? chosen ?? chooseFormat(accept, format) ?? format,
    unacceptable: fits ? null : notAcceptable(types),
  }
}

const notAcceptable = (mediaTypes: readonly string[]): Problem =>
  new Problem('not_acceptable', `Accept ${mediaTypes.join(' or ')}.`)

const run = async (service: FrontDoor, endpoint: AnyWork, asked: Asked): Promise<Response> => {
  const early = 'run' in endpoint && endpoint.onlyReads ? await readAhead(service, endpoint, asked) : null
  if (early) return early
  const { request } = asked
  const caller = await service.authenticate(request, endpoint.forgiving)
  const context = contextFor(service.platform, caller, request)
  return reportingRefusals(service, { request, caller }, async () => {
    admit(context, endpoint, asked)
    return 'receive' in endpoint
      ? takenIn(context, endpoint, asked)
      : unlessDone(context, { request }, () => prepared(context, endpoint, asked))
  })
}

/** Permissions come first: 401 and 403 win over 406. What cannot be answered is refused before anything is done. */
const admit = (context: Context, { permit, permitsInRun }: Addressed, { request, unacceptable }: Asked): void => {
  permit?.(context, request)
  if (unacceptable && !permitsInRun) throw unacceptable
}

const takenIn = async (context: Context, endpoint: StreamedWork, { request, format }: Asked): Promise<Response> => {
  const received = await endpoint.receive(context, { request, body: noBody, format })
  return settling(received, () =>
    unlessDone(
      context,
      { request, digest: received.digest },
      async () => inside =>
        // An answer that cannot be written undoes what was done: `settle` goes by it.
        inTransaction(inside, async own => writeAnswer(await received.run(own), format, request)),
    ),
  )
}

const prepared = async (context: Context, endpoint: DirectWork | PreparedWork, asked: Asked): Promise<Work> => {
  if ('run' in endpoint) return inside => answered(inside, endpoint, asked)
  const last = await endpoint.prepare(context, taskOf(endpoint, asked))
  return async inside => writeAnswer(await last(inside), asked.format, asked.request)
}

const answered = async (context: Context, endpoint: DirectWork, asked: Asked): Promise<Response> => {
  if (asked.unacceptable) throw (await refusalOf(context, endpoint, asked)) ?? asked.unacceptable
  return writeAnswer(await endpoint.run(context, taskOf(endpoint, asked)), asked.format, asked.request)
}

const refusalOf = async (context: Context, endpoint: DirectWork, asked: Asked): Promise<Problem | null> => {
  try {
    await endpoint.run(context, taskOf(endpoint, asked))
    return null
  } catch (error) {
    return isRefusal(error) ? error : null
  }
}

const isRefusal = (error: unknown): error is Problem =>
  error instanceof Problem && (error.code === 'forbidden' || error.code === 'unauthorized')

const taskOf = ({ takesBody, format }: Addressed, asked: Asked): Task => ({
  request: asked.request,
  format: asked.format,
  body: takesBody ? readBody(asked.request, format) : noBody,
})

/** The response for the cached caller, prepared while the cache is revalidated; null if the caller is another one by now. */
const readAhead = async (service: FrontDoor, endpoint: DirectWork, asked: Asked): Promise<Response | null> => {
  const { request } = asked
  const cached = service.peekCaller(request)
  if (!cached) return null
  const { caller } = cached
  const context = contextFor(service.platform, caller, request)
  const isStillValid = cached.isStillValid()
  // What went wrong is looked at below, if it counts at all.
  const work = admitted(context, endpoint, asked).catch((error: unknown) => new Failure(error))
  if (!(await isStillValid)) return null
  request.callerPk = caller.pk
  const made = await work
  return made instanceof Failure
    ? reportingRefusals(service, { request, caller }, () => Promise.reject(made.cause))
    : made
}

const admitted = async (context: Context, endpoint: DirectWork, asked: Asked): Promise<Response> => {
  admit(context, endpoint, asked)
  return answered(context, endpoint, asked)
}

/** Of work whose failure may not count. */
class Failure {
  readonly cause: unknown
  constructor(cause: unknown) {
    this.cause = cause
  }
}

/** Reports refusals for the audit trail; the problem goes on. */
export const reportingRefusals = async <T>(
  service: FrontDoor,
  asked: { readonly request: Request; readonly caller: Caller },
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (isRefusal(error)) await service.reportRefusal({ ...asked, problem: error })
    throw error
  }
}
