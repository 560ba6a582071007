// GET /api/rest/friends/my and /friends/{friendId}: the friends of a user.

import type { Request } from '../../core/http/exchange.ts'
import { isAdmin } from '../../core/model/caller.ts'
import { choice, integer, text } from '../../core/model/fields.ts'
import { linkFiltersOf } from '../../core/model/link-filters.ts'
import { both, equals, type Filter, pathTo, toFilter } from '../../core/model/query.ts'
import type { Resource } from '../../core/model/resource.ts'
import { type InputOf, list } from '../../core/model/shape.ts'
import type { PageLinks, View } from '../../core/model/view.ts'
import { Problem } from '../../core/problem.ts'
import { readParameters } from '../../core/query/parameters.ts'
import { refuse } from '../../core/query/query-faults.ts'
import { createScope } from '../../core/query/scope.ts'
import { readSort } from '../../core/query/sort.ts'
import type { Answer } from '../../core/rest/answer.ts'
import type { Context } from '../../core/rest/context.ts'
import { defineEndpoint } from '../../core/rest/endpoint.ts'
import type { Service } from '../../core/service.ts'
import { users } from '../people/index.ts'
import { friendships, statuses } from './friendships.ts'

const queryOf = (maxPageSize: number) => ({
  page: integer({ min: 0, max: 1_000_000, default: 0, about: 'The page number, starting at 0.' }),
  size: integer({ min: 1, max: maxPageSize, default: Math.min(10, maxPageSize), about: 'Friends per page.' }),
  sort: text({
    max: 1000,
    about: 'Fields to sort by, separated by commas. Prefix a field with `-` for descending order.',
  }),
  status: list(choice(statuses), {
    default: ['CONFIRMED'],
    about: 'States of the friendship; several are alternatives.',
  }),
})

type ListQuery = InputOf<ReturnType<typeof queryOf>>

export const friendListEndpoints = ({ platform: { limits } }: Service) => {
  const shared = {
    method: 'GET',
    tag: 'friendships',
    family: 'xml',
    access: 'caller.signedIn',
    query: queryOf(limits.maxPageSize),
    answers: { 200: { about: 'The friends, as compact users.', page: users } },
  } as const
  return [
    defineEndpoint({
      ...shared,
      path: '/api/rest/friends/my',
      id: 'listMyFriends',
      summary: 'List my friends',
      description: 'Confirmed friends, unless other states are requested.',
      answer: ({ context, request, query }) => answerList(context, { whose: context.caller.pk ?? '', request, query }),
    }),
    defineEndpoint({
      ...shared,
      path: '/api/rest/friends/{friendId}',
      id: 'listFriends',
      summary: "List a friend's friends",
      description: 'For confirmed friends, administrators and site operators.',
      params: { friendId: 'Whose friends.' },
      answer: async ({ context, request, query, params: { friendId } }) => {
        if (!(await isKnown(context, friendId))) throw new Problem('not_found')
        if (!(await mayList(context, friendId))) throw new Problem('forbidden')
        return answerList(context, { whose: friendId, request, query })
      },
    }),
  ]
}

const isKnown = async ({ platform: { records } }: Context, pk: string): Promise<boolean> =>
  (await records.first(users, { where: { pk } })) !== null

const seesAll = ({ caller }: Context): boolean => isAdmin(caller) || caller.roles.has('ROLE_SITE_OPERATOR')

/** The own list, that of a confirmed friend, and every list for those who run the site. */
const mayList = async (context: Context, friendId: string): Promise<boolean> => {
  if (friendId === context.caller.pk || seesAll(context)) return true
  const mine = await context.platform.records.first(friendships, { where: { pk: `${context.caller.pk}_${friendId}` } })
  return mine?.status === 'CONFIRMED'
}

interface FriendList {
  readonly whose: string
  readonly request: Request
  readonly query: ListQuery
}

const answerList = async (context: Context, { whose, request, query }: FriendList): Promise<Answer> => {
  const { registry, store, access } = context.platform
  const people = registry.resource(users)
  const visible = toFilter(access.permit(people, 'read', context.caller))
  const scope = createScope(context.visibility)
  const sort = readSort(query.sort ?? undefined, people, scope)
  if (scope.faults.length > 0) refuse(scope.faults)
  const { page: number, size, status: chosen } = query
  // Requests and blocks of others are private.
  if (whose !== context.caller.pk && !seesAll(context) && chosen.some(status => status !== 'CONFIRMED'))
    throw new Problem('forbidden')
  const view = compactView(context.visibility.view(people))
  const found = await store.find(people, {
    filter: both(isFriendOf(registry.resource(friendships), whose, chosen), visible),
    sort,
    window: { kind: 'offset', offset: number * size, limit: size },
    total: 'exact',
    linkFilters: linkFiltersOf(view, context.visibility),
  })
  const totalElements = found.total ?? 0
  const totalPages = Math.ceil(totalElements / size)
  return {
    kind: 'page',
    status: 200,
    document: {
      view,
      paging: { size, number, totalElements, totalPages },
      links: linksOf(request, number, totalPages),
    },
    batch: { records: found.records, included: [] },
    headers: { 'X-Total-Count': totalElements.toString() },
  }
}

/**
 * Makes the filter of friends. Both conditions must hold for the same friendship: that on the owner is the link filter
 * of the step to it.
 */
const isFriendOf = (friendships: Resource, owner: string, states: readonly string[]): Filter => {
  const relation = pathTo(friendships, 'friend').field.back
  if (!relation) throw new Error('friendships have no way back from the friend')
  const linkFilter = equals(pathTo(friendships, 'owner').field, owner)
  const path = { ...pathTo(friendships, 'status'), steps: [{ relation, target: friendships, linkFilter }] }
  return { op: 'in', path, values: states }
}

const compactFields = ['pk', 'username', 'name', 'firstName', 'lastName', 'emailHash', 'avatarUrl', 'stompSessionCount']
const compactViews = new WeakMap<View, View>()

/** The fields of a list, as far as the caller may read them. */
const compactView = (view: View): View => {
  let compact = compactViews.get(view)
  if (!compact) {
    const fields = compactFields.flatMap(name => {
      const field = view.fields.get(name)
      return field ? [[name, field] as const] : []
    })
    compact = { resource: view.resource, fields: new Map(fields) }
    compactViews.set(view, compact)
  }
  return compact
}

const linksOf = ({ path, search }: Request, number: number, totalPages: number): PageLinks => {
  const parameters = readParameters(search)
  const to = (page: number): string => {
    const query = new URLSearchParams()
    for (const [name, values] of parameters) if (name !== 'page') for (const value of values) query.append(name, value)
    query.set('page', page.toString())
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
