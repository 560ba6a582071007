// What each operator of conditions means, as filters: for the `filter` parameter and for the conditions of code.

import { both, type Filter, type Path, type Pattern } from '../model/query.ts'
import type { ValueType } from '../model/value-field.ts'
import { isOrdered, isTextual } from './query-value.ts'
import type { RsqlOperator } from './rsql.ts'

const always = () => true

export const fits: Readonly<Record<RsqlOperator, (type: ValueType) => boolean>> = {
  '==': always,
  '!=': always,
  '>': isOrdered,
  '>=': isOrdered,
  '<': isOrdered,
  '<=': isOrdered,
  '=in=': always,
  '=out=': always,
  '=like=': isTextual,
  '=ilike=': isTextual,
  '=isnull=': always,
  '=bt=': isOrdered,
}

export interface Operands {
  readonly path: Path
  readonly type: ValueType
  /** The first value as text with wildcards; one piece where there are none. */
  readonly pattern: Pattern
  /** The values in stored form: as many as the operator takes. */
  readonly stored: readonly unknown[]
}

const equality =
  (op: 'eq' | 'ne', wild: 'like' | 'unlike') =>
  ({ path, type, pattern, stored }: Operands): Filter =>
    pattern.length > 1 && isTextual(type)
      ? { op: wild, path, pattern, ignoreCase: false }
      : { op, path, value: stored[0] }

const order =
  (op: 'gt' | 'ge' | 'lt' | 'le') =>
  ({ path, stored }: Operands): Filter => ({ op, path, value: stored[0] })

const membership =
  (op: 'in' | 'out') =>
  ({ path, stored }: Operands): Filter => ({ op, path, values: stored })

const likeness =
  (ignoreCase: boolean) =>
  ({ path, pattern }: Operands): Filter => ({ op: 'like', path, pattern, ignoreCase })

const absence = ({ path, stored }: Operands): Filter => {
  const reached = path.steps.at(-1)
  // `roles=isnull=true`: a relation without (visible) records has no pk that could be null.
  if (reached && path.field === reached.target.pk) {
    const some: Filter = { op: 'null', path, isNull: false }
    return stored[0] === true ? { op: 'not', part: some } : some
  }
  return { op: 'null', path, isNull: stored[0] === true }
}

/** Both ends must hold for the same one of many records, so the lower end goes into the link filter of the last step. */
const between = ({ path, stored: [lowest, highest] }: Operands): Filter => {
  const { steps, field } = path
  const last = steps.at(-1)
  if (!last || steps.every(step => step.relation.definition.role === 'one')) {
    const parts: Filter[] = [
      { op: 'ge', path, value: lowest },
      { op: 'le', path, value: highest },
    ]
    return { op: 'and', parts }
  }
  const linkFilter = both(last.linkFilter, { op: 'ge', path: { steps: [], field }, value: lowest })
  return { op: 'le', path: { steps: [...steps.slice(0, -1), { ...last, linkFilter }], field }, value: highest }
}

export const build: Readonly<Record<RsqlOperator, (operands: Operands) => Filter>> = {
  '==': equality('eq', 'like'),
  '!=': equality('ne', 'unlike'),
  '>': order('gt'),
  '>=': order('ge'),
  '<': order('lt'),
  '<=': order('le'),
  '=in=': membership('in'),
  '=out=': membership('out'),
  '=like=': likeness(false),
  '=ilike=': likeness(true),
  '=isnull=': absence,
  '=bt=': between,
}
