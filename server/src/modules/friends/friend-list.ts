// GET /api/rest/friends/my and /friends/{friendId}: the users at the other end of somebody's friendships.

import { fault } from '../../core/fault.ts'
import { formatsByName } from '../../core/formats/index.ts'
import type { Route } from '../../core/http/exchange.ts'
import { isAdmin } from '../../core/model/caller.ts'
import { guardsOf } from '../../core/model/guards.ts'
import { both, equals, type Filter, toFilter } from '../../core/model/query.ts'
import type { Member, Resource } from '../../core/model/resource.ts'
import type { PageLinks, View } from '../../core/model/view.ts'
import { Problem } from '../../core/problem.ts'
import { badParameter, note, refuse } from '../../core/query/faults.ts'
import { type Parameters, readParameters, single } from '../../core/query/parameters.ts'
import { createScope, type Scope } from '../../core/query/scope.ts'
import { readSort } from '../../core/query/sort.ts'
import type { Answer } from '../../core/rest/answer.ts'
import { signedIn } from '../../core/rest/permit.ts'
import type { Context } from '../../core/rest/platform.ts'
import { respond } from '../../core/rest/respond.ts'
import type { Service } from '../../core/rest/service.ts'
import { users } from '../people/index.ts'
import { describeFriends } from './describe.ts'
import { friendships } from './friendships.ts'
import { statuses } from './states.ts'

export const friendListRoutes = (service: Service): readonly Route[] => {
  const route = (path: string, whoseOf: (context: Context, named: string) => Promise<string> | string): Route => ({
    method: 'GET',
    path,
    describe: describeFriends(path, service.platform.limits.maxPageSize),
    handler: respond(service, {
      resource: null,
      format: formatsByName.json,
      takesBody: false,
      permit: signedIn,
      run: async (context, { request }) => {
        const whose = await whoseOf(context, request.params.friendId ?? '')
        return list(context, { whose, parameters: readParameters(request.search), path: request.path })
      },
    }),
  })
  return [
    route('/api/rest/friends/my', ({ caller }) => caller.pk ?? ''),
    route('/api/rest/friends/{friendId}', async (context, friendId) => {
      if (!(await isKnown(context, friendId))) throw new Problem('not_found')
      if (!(await mayList(context, friendId))) throw new Problem('forbidden')
      return friendId
    }),
  ]
}

const isKnown = async ({ platform: { records } }: Context, pk: string): Promise<boolean> =>
  (await records.first(users, { pk })) !== null

const seesAll = ({ caller }: Context): boolean => isAdmin(caller) || caller.roles.has('ROLE_SITE_OPERATOR')

/** One's own list, that of a confirmed friend, and everybody's for those who run the site. */
const mayList = async (context: Context, friendId: string): Promise<boolean> => {
  if (friendId === context.caller.pk || seesAll(context)) return true
  const mine = await context.platform.records.first(friendships, { pk: `${context.caller.pk}_${friendId}` })
  return mine?.status === 'CONFIRMED'
}

interface Listing {
  readonly whose: string
  readonly parameters: Parameters
  readonly path: string
}

const list = async (context: Context, { whose, parameters, path }: Listing): Promise<Answer> => {
  const { registry, store, access } = context.platform
  const people = registry.resource(users)
  const visible = toFilter(access.permit(people, 'read', context.caller))
  const scope = createScope(context.sight)
  const number = readWhole('page', { parameters, scope, usual: 0, from: 0, to: 1_000_000 })
  const size = readWhole('size', { parameters, scope, usual: 10, from: 1, to: context.platform.limits.maxPageSize })
  const wanted = readStatuses(parameters, scope)
  const sort = readSort(single(parameters, 'sort', scope.faults), people, scope)
  if (scope.faults.length > 0) refuse(scope.faults)
  // Who else is waiting or blocked is between the two of them.
  if (whose !== context.caller.pk && !seesAll(context) && wanted.some(status => status !== 'CONFIRMED'))
    throw new Problem('forbidden')
  const view = compactView(context.sight.view(people))
  const found = await store.find(people, {
    filter: both(isFriendOf(registry.resource(friendships), whose, wanted), visible),
    sort,
    window: { kind: 'offset', offset: number * size, limit: size },
    total: 'exact',
    guards: guardsOf(view, context.sight),
  })
  const totalElements = found.total ?? 0
  const totalPages = Math.ceil(totalElements / size)
  return {
    kind: 'page',
    status: 200,
    document: {
      view,
      paging: { size, number, totalElements, totalPages },
      links: linksOf({ parameters, path, number, totalPages }),
    },
    batch: { records: found.records, included: [] },
    headers: { 'X-Total-Count': String(totalElements) },
  }
}

/** Both conditions hold for the same friendship: the owner's stands in the guard of the step that leads to it. */
const isFriendOf = (friendships: Resource, owner: string, wanted: readonly string[]): Filter => {
  const member = (name: string) => friendships.members.get(name) as Member
  const relation = member('friend').back as Member
  const guard = equals(member('owner'), owner)
  const path = { steps: [{ relation, target: friendships, guard }], member: member('status') }
  return { op: 'in', path, values: wanted }
}

interface WholeNumber {
  readonly parameters: Parameters
  readonly scope: Scope
  readonly usual: number
  readonly from: number
  readonly to: number
}

const readWhole = (parameter: string, { parameters, scope, usual, from, to }: WholeNumber): number => {
  const text = single(parameters, parameter, scope.faults)
  if (text === undefined) return Math.min(usual, to)
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (number >= from && number <= to) return number
  note(scope.faults, badParameter(parameter, text, fault('whole_number_between', { min: from, max: to })))
  return from
}

const readStatuses = (parameters: Parameters, { faults }: Scope): readonly string[] => {
  const texts = (parameters.get('status') ?? []).flatMap(text => text.split(',')).filter(text => text !== '')
  for (const text of texts) {
    if (statuses.some(status => status === text.toUpperCase())) continue
    note(faults, badParameter('status', text, fault('choice', { choices: statuses })))
  }
  return texts.length > 0 ? texts.map(text => text.toUpperCase()) : ['CONFIRMED']
}

const compactMembers = [
  'pk',
  'username',
  'name',
  'firstName',
  'lastName',
  'emailHash',
  'avatarUrl',
  'stompSessionCount',
]
const compactViews = new WeakMap<View, View>()

/** What a list of people needs, as far as the caller may read it. */
const compactView = (view: View): View => {
  let compact = compactViews.get(view)
  if (!compact) {
    const members = compactMembers.flatMap(name => {
      const member = view.members.get(name)
      return member ? [[name, member] as const] : []
    })
    compact = { resource: view.resource, members: new Map(members) }
    compactViews.set(view, compact)
  }
  return compact
}

interface Place extends Pick<Listing, 'parameters' | 'path'> {
  readonly number: number
  readonly totalPages: number
}

const linksOf = ({ parameters, path, number, totalPages }: Place): PageLinks => {
  const to = (page: number): string => {
    const query = new URLSearchParams()
    for (const [name, values] of parameters) if (name !== 'page') for (const value of values) query.append(name, value)
    query.set('page', String(page))
    return `${path}?${query}`
  }
  return {
    self: to(number),
    first: to(0),
    ...(number > 0 && { prev: to(number - 1) }),
    ...(number + 1 < totalPages && { next: to(number + 1) }),
    ...(totalPages > 0 && { last: to(totalPages - 1) }),
  }
}
