// What goes with an account, and what stays without it: by the model, and by the records that there are.

import { resourceTitle } from '../../core/describe/names.ts'
import { equals } from '../../core/model/query.ts'
import type { Resource, ResourceField } from '../../core/model/resource.ts'
import type { Context } from '../../core/rest/context.ts'
import { belongingsOf, users } from '../people/index.ts'

interface Remains {
  /** Titles of what is deleted with the account. */
  readonly deleted: readonly string[]
  /** Titles of what needs the user: the user stays without a name. */
  readonly kept: readonly string[]
}

export const whatRemains = async (
  { platform: { registry, store } }: Pick<Context, 'platform'>,
  { user, language }: { readonly user: string; readonly language: string },
): Promise<Remains> => {
  const person = registry.resource(users)
  const titleOf = ({ owner }: ResourceField) => resourceTitle(owner, language)
  const isNamed = ({ owner }: ResourceField) => !owner.definition.internal
  const kept: ResourceField[] = []
  for (const field of referencesTo(person, registry.resources).filter(isNamed))
    if ((await store.count(field.owner, equals(field, user), { atMost: 1 })) > 0) kept.push(field)
  const deleted = belongingsOf(registry.resources, person).filter(isNamed)
  return { deleted: sorted(deleted.map(titleOf)), kept: sorted(kept.map(titleOf)) }
}

/** Fields that let no record go that they refer to. */
const referencesTo = (person: Resource, resources: readonly Resource[]): readonly ResourceField[] =>
  resources
    .filter(({ holder, name }) => holder.name === name)
    .flatMap(({ fields }) => [...fields.values()])
    .filter(
      ({ definition, target }) => definition.role === 'one' && definition.onDelete === 'refuse' && target === person,
    )

const sorted = (titles: readonly string[]): readonly string[] => [...new Set(titles)].sort()
