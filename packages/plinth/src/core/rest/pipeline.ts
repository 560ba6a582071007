// A request on one screen: each branch names its stages in their order. Problems of all of them are caught in `catch-problems.ts`.

import { formatsByName } from '../formats/index.ts'
import type { Handler, Response } from '../http/exchange.ts'
import { isUnavailable, type Problem } from '../problem.ts'
import { inTransaction } from '../records/context.ts'
import { type Body, readBody } from './body.ts'
import { catchProblems, isRefusal } from './catch-problems.ts'
import { type Context, contextFor } from './context.ts'
import type { FrontDoor } from './front-door.ts'
import { unlessDone } from './idempotency.ts'
import { type Negotiated, negotiate } from './negotiate.ts'
import type {
  Addressed,
  DirectWork,
  EndpointWork,
  LastStep,
  PreparedWork,
  Received,
  StreamedWork,
  Task,
} from './work.ts'
import { writeAnswer } from './write-answer.ts'

export const respond = (service: FrontDoor, work: EndpointWork): Handler => {
  const branch = branchOf(service, work)
  return request => {
    const exchange = negotiate(work, request)
    return catchProblems(service, exchange, branch(exchange))
  }
}

type Branch = (exchange: Negotiated) => Promise<Response>

const branchOf = (service: FrontDoor, work: EndpointWork): Branch => {
  if ('receive' in work) return exchange => upload(service, work, exchange)
  if ('run' in work && work.onlyReads) return exchange => read(service, work, exchange)
  return exchange => (exchange.request.stream ? writeForm : write)(service, work, exchange)
}

/** Answers a read, which runs while a cached caller is revalidated. */
const read = async (service: FrontDoor, work: DirectWork, exchange: Negotiated): Promise<Response> => {
  const { request } = exchange
  const cached = service.peekCaller(request)
  if (cached) {
    const context = contextFor(service.platform, cached.caller, request)
    const isStillValid = cached.isStillValid()
    const response = answer(context, work, exchange)
    // A failure counts only if the caller is still the same.
    response.catch(() => {})
    if (await isStillValid) {
      exchange.caller = cached.caller
      request.callerPk = cached.caller.pk
      return response
    }
  }
  const context = await authenticate(service, work, exchange)
  return answer(context, work, exchange)
}

const write = async (service: FrontDoor, work: DirectWork | PreparedWork, exchange: Negotiated): Promise<Response> => {
  const context = await authenticate(service, work, exchange)
  authorise(context, work, exchange)
  return unlessDone(context, { request: exchange.request }, async () => {
    const last = await prepare(context, work, exchange)
    return stepContext => finish(stepContext, last, exchange)
  })
}

/** A record and its files in one body. The files are stored first; those that no record has afterwards are removed. */
const writeForm = async (
  service: FrontDoor,
  work: DirectWork | PreparedWork,
  exchange: Negotiated,
): Promise<Response> => {
  const { request } = exchange
  const context = await authenticate(service, work, exchange)
  authorise(context, work, exchange)
  const { resource, format } = work
  if (!resource) throw new Error(`${request.route} takes forms without a resource`)
  const form = await service.receiveForm(context, { request, resource, format })
  const task = { ...taskOf(context, { ...work, takesBody: false }, exchange), body: form.body }
  const response = unlessDone(context, { request, digest: form.digest }, async () => {
    const last: LastStep =
      'prepare' in work ? await work.prepare(context, task) : async stepContext => work.run(stepContext, task)
    return stepContext => finish(stepContext, last, exchange)
  })
  return settled(form, response)
}

const upload = async (service: FrontDoor, work: StreamedWork, exchange: Negotiated): Promise<Response> => {
  const context = await authenticate(service, work, exchange)
  authorise(context, work, exchange)
  const content = await work.receive(context, taskOf(context, work, exchange))
  const { digest, run } = content
  const response = unlessDone(
    context,
    { request: exchange.request, digest },
    async () => stepContext =>
      // An answer that cannot be written undoes what was done: `settle` goes by it.
      inTransaction(stepContext, own => finish(own, () => run(own), exchange)),
  )
  return settled(content, response)
}

const authenticate = async (service: FrontDoor, { forgiving }: Addressed, exchange: Negotiated): Promise<Context> => {
  const { request } = exchange
  const caller = await service.authenticate(request, forgiving)
  exchange.caller = caller
  return contextFor(service.platform, caller, request)
}

/** Permissions come first: 401 and 403 win over 406. What cannot be answered is refused before anything is done. */
const authorise = (context: Context, { permit, permitsInRun }: Addressed, exchange: Negotiated): void => {
  permit?.(context, exchange.request)
  if (exchange.unacceptable && !permitsInRun) throw exchange.unacceptable
}

/** A read: authorised, run and written in one go. */
const answer = async (context: Context, work: DirectWork, exchange: Negotiated): Promise<Response> => {
  authorise(context, work, exchange)
  const found = await work.run(context, taskOf(context, work, exchange))
  return writeAnswer(found, exchange.format, exchange.request, { isHeld: context.tx !== null })
}

/** Everything that takes no transaction, so that no other request waits for it. */
const prepare = async (context: Context, work: DirectWork | PreparedWork, exchange: Negotiated): Promise<LastStep> => {
  const task = taskOf(context, work, exchange)
  if ('prepare' in work) return work.prepare(context, task)
  if (exchange.unacceptable) throw (await refusalOf(context, work, task)) ?? exchange.unacceptable
  return async stepContext => work.run(stepContext, task)
}

const finish = async (stepContext: Context, last: LastStep, { format, request }: Negotiated): Promise<Response> =>
  writeAnswer(await last(stepContext), format, request, { isHeld: stepContext.tx !== null })

const refusalOf = async (context: Context, work: DirectWork, task: Task): Promise<Problem | null> => {
  try {
    await work.run(context, task)
    return null
  } catch (error) {
    return isRefusal(error) ? error : null
  }
}

/** Settles an upload once the result is certain. A database that goes away during the commit may have kept everything, or nothing. */
const settled = async (received: Pick<Received, 'settle'>, work: Promise<Response>): Promise<Response> => {
  const response = await work.catch(async error => {
    if (!isUnavailable(error)) await received.settle()
    throw error
  })
  await received.settle()
  return response
}

const noBody: Body = { format: formatsByName.json, mergePatch: false, json: undefined, isStrict: false }

const taskOf = ({ platform }: Context, { resource, takesBody, format }: Addressed, exchange: Negotiated): Task => ({
  resource,
  request: exchange.request,
  format: exchange.format,
  file: exchange.file,
  body: takesBody ? readBody(exchange.request, { fallback: format, isStrict: platform.bodies.strict }) : noBody,
})
