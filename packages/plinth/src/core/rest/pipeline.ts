// A request on one screen: negotiate, authenticate, authorise, run, write the answer. Reads take the direct branch; writes pass
// idempotency keys and preparation. Problems are caught here and nowhere else.

import { formats, formatsByName, valueFormats } from '../formats/index.ts'
import { accepts, chooseFile, chooseFormat } from '../formats/negotiate.ts'
import type { Handler, Request, Response } from '../http/exchange.ts'
import type { Caller } from '../model/caller.ts'
import type { Resource } from '../model/resource.ts'
import { isUnavailable, Problem } from '../problem.ts'
import { inTransaction } from '../records/context.ts'
import { type Body, readBody } from './body.ts'
import { type Context, contextFor } from './context.ts'
import type { FrontDoor } from './front-door.ts'
import { unlessDone, type Work } from './idempotency.ts'
import { withCors } from './origins.ts'
import { type ProblemContext, toProblemResponse } from './problem-response.ts'
import type { Addressed, DirectWork, EndpointWork, PreparedWork, Received, StreamedWork, Task } from './work.ts'
import { writeAnswer } from './write-answer.ts'

export const respond = (service: FrontDoor, work: EndpointWork): Handler => {
  const handle = branchOf(service, work)
  const { resource } = work
  return request => {
    const asked = negotiate(work, request)
    return catchProblems(service, handle(asked), { request, format: asked.format, resource })
  }
}

const branchOf = (service: FrontDoor, work: EndpointWork): ((asked: Negotiated) => Promise<Response>) => {
  if ('receive' in work) return asked => upload(service, work, asked)
  if ('run' in work && work.onlyReads) return asked => read(service, work, asked)
  return asked => write(service, work, asked)
}

const read = async (service: FrontDoor, work: DirectWork, asked: Negotiated): Promise<Response> =>
  (await readAhead(service, work, asked)) ??
  authorised(service, work, { asked, run: context => answered(context, work, asked) })

const write = (service: FrontDoor, work: DirectWork | PreparedWork, asked: Negotiated): Promise<Response> =>
  authorised(service, work, {
    asked,
    run: context => unlessDone(context, { request: asked.request }, () => prepared(context, work, asked)),
  })

const upload = (service: FrontDoor, work: StreamedWork, asked: Negotiated): Promise<Response> =>
  authorised(service, work, { asked, run: context => received(context, work, asked) })

interface Authorised {
  readonly asked: Negotiated
  readonly run: (context: Context) => Promise<Response>
}

const authorised = async (service: FrontDoor, work: Addressed, { asked, run }: Authorised): Promise<Response> => {
  const { request } = asked
  const caller = await service.authenticate(request, work.forgiving)
  const context = contextFor(service.platform, caller, request)
  return reportingRefusals(service, { request, caller }, () => {
    admit(context, work, asked)
    return run(context)
  })
}

const noBody: Body = { format: formatsByName.json, mergePatch: false, json: undefined }

interface ProblemPlace extends Pick<Task, 'request' | 'format'>, Pick<ProblemContext, 'locatesRefusals'> {
  /** Its rules on origins apply. */
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
    if (error instanceof Problem) service.noteProblem?.(error)
    response = toProblemResponse(error, request, { ...place, report: service.reportFailure })
  }
  return request.headers.origin === undefined ? response : withCors(service, resource, { request, response })
}

interface Negotiated extends Pick<Task, 'request' | 'format' | 'file'> {
  /** The caller accepts none of the types that the endpoint can write. */
  readonly unacceptable: Problem | null
}

const negotiate = ({ format, produces, problemFormat, writesFiles }: Addressed, request: Request): Negotiated => {
  const { accept } = request.headers
  const offered = request.promisesValue ? valueFormats : formats
  const chosen = chooseFormat(accept, format, offered)
  const own = produces === undefined ? null : [produces].flat()
  const file = writesFiles ? chooseFile(accept) : null
  const fits = file !== null || (own ? own.some(type => accepts(accept, type)) : chosen !== null)
  return {
    request,
    file,
    // Every format has a place for problems.
    format: problemFormat ?? chosen ?? chooseFormat(accept, format) ?? format,
    unacceptable: fits ? null : notAcceptable(own ?? offered.map(({ mediaType }) => mediaType)),
  }
}

const notAcceptable = (mediaTypes: readonly string[]): Problem =>
  new Problem('not_acceptable', `Accept ${mediaTypes.join(' or ')}.`)

/** Permissions come first: 401 and 403 win over 406. What cannot be answered is refused before anything is done. */
const admit = (context: Context, { permit, permitsInRun }: Addressed, { request, unacceptable }: Negotiated): void => {
  permit?.(context, request)
  if (unacceptable && !permitsInRun) throw unacceptable
}

const received = async (context: Context, work: StreamedWork, { request, format }: Negotiated): Promise<Response> => {
  const content = await work.receive(context, { resource: work.resource, request, body: noBody, format, file: null })
  return settling(content, () =>
    unlessDone(
      context,
      { request, digest: content.digest },
      async () => inside =>
        // An answer that cannot be written undoes what was done: `settle` goes by it.
        inTransaction(inside, async own => writeAnswer(await content.run(own), format, request, { isHeld: true })),
    ),
  )
}

const settling = async (received: Received, work: () => Promise<Response>): Promise<Response> => {
  const response = await work().catch(async error => {
    // A database that goes away in the middle of a commit may have kept everything, or nothing.
    if (!isUnavailable(error)) await received.settle()
    throw error
  })
  await received.settle()
  return response
}

const prepared = async (context: Context, work: DirectWork | PreparedWork, asked: Negotiated): Promise<Work> => {
  if ('run' in work) return inside => answered(inside, work, asked)
  const last = await work.prepare(context, taskOf(work, asked))
  return async inside => writeAnswer(await last(inside), asked.format, asked.request, { isHeld: inside.tx !== null })
}

const answered = async (context: Context, work: DirectWork, asked: Negotiated): Promise<Response> => {
  if (asked.unacceptable) throw (await refusalOf(context, work, asked)) ?? asked.unacceptable
  const answer = await work.run(context, taskOf(work, asked))
  return writeAnswer(answer, asked.format, asked.request, { isHeld: context.tx !== null })
}

const refusalOf = async (context: Context, work: DirectWork, asked: Negotiated): Promise<Problem | null> => {
  try {
    await work.run(context, taskOf(work, asked))
    return null
  } catch (error) {
    return isRefusal(error) ? error : null
  }
}

const isRefusal = (error: unknown): error is Problem =>
  error instanceof Problem && (error.code === 'forbidden' || error.code === 'unauthorized')

const taskOf = ({ resource, takesBody, format }: Addressed, asked: Negotiated): Task => ({
  resource,
  request: asked.request,
  format: asked.format,
  file: asked.file,
  body: takesBody ? readBody(asked.request, format) : noBody,
})

/** The response for the cached caller, prepared while the cache is revalidated; null if the caller is another one by now. */
const readAhead = async (service: FrontDoor, work: DirectWork, asked: Negotiated): Promise<Response | null> => {
  const { request } = asked
  const cached = service.peekCaller(request)
  if (!cached) return null
  const { caller } = cached
  const context = contextFor(service.platform, caller, request)
  const isStillValid = cached.isStillValid()
  // A failure counts only if the caller is still valid.
  const response = admitted(context, work, asked).catch((error: unknown) => new Failure(error))
  if (!(await isStillValid)) return null
  request.callerPk = caller.pk
  const made = await response
  return made instanceof Failure
    ? reportingRefusals(service, { request, caller }, () => Promise.reject(made.cause))
    : made
}

const admitted = async (context: Context, work: DirectWork, asked: Negotiated): Promise<Response> => {
  admit(context, work, asked)
  return answered(context, work, asked)
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
