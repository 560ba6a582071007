// A statement under construction, and the FROM part of each of its selects.

import type { Comparison, Filter } from '../../model/query.ts'
import type { Resource, ResourceField } from '../../model/resource.ts'
import type { ColumnType } from '../../model/value-field.ts'
import type { Cell } from '../connection.ts'
import { asOfEntry } from '../history/columns.ts'
import { noteDistances } from '../near/near.ts'
import { DraftFacts } from '../statement-facts.ts'
import { quote, recordTableOf, sourceOf, targetOf } from './columns.ts'
import type { Dialect } from './dialect.ts'
import type { QueryShape } from './shape.ts'
import type { Statement } from './statement.ts'

/** The work of a function call, in simple rows. */
const heavyWork = 2

/** The length in characters from which comparing a text takes longer than anything else that is done with its row. */
const longText = 1000

const isLongText = ({ definition }: ResourceField): boolean => {
  if (definition.role !== 'value') return false
  const { maxLength } = definition.type.schema
  return typeof maxLength === 'number' && maxLength > longText
}

export class StatementDraft {
  readonly shape: QueryShape
  /** Values that come from the model: the same for every query of the shape, bound after its own cells. */
  readonly constants: Cell[] = []
  readonly #cellCount: number
  #aliases = 0
  #crossings = 0

  /** `cellCount`: how many of the shape's cells the statement is given; all of them unless it is a part of the query. */
  constructor(shape: QueryShape, cellCount = shape.cells.length) {
    this.shape = shape
    this.#cellCount = cellCount
  }

  get dialect(): Dialect {
    return this.shape.dialect
  }

  readonly facts = new DraftFacts()
  #comparesLongText = false

  compares(comparison: Comparison): void {
    this.facts.compares(comparison)
    if ('pattern' in comparison && isLongText(comparison.path.field)) this.#comparesLongText = true
  }

  /** Conditions that come before all others; call it after those are made. */
  watches(): readonly string[] {
    const { watch } = this.dialect
    return watch ? [watch(this.#comparesLongText || this.facts.rowWork > heavyWork)] : []
  }

  /** The statement with all that is known of it. */
  statement(sql: string): Statement {
    return { sql, constants: this.constants, facts: this.facts }
  }

  /** The records of the statement are a sample of a table, which has no indexes. */
  isSample = false

  /** A name for a table, or for what is read of it. */
  alias(table: string): string {
    this.#aliases += 1
    const alias = `t${this.#aliases}`
    this.facts.reads(alias, table)
    return alias
  }

  /** A name for the records of a resource. */
  aliasFor(resource: Resource): string {
    const table = recordTableOf(resource)
    // The part of a table that belongs to the resource is a query, which reads the table by its own name.
    if (resource.definition.storedIn) this.facts.reads(table, table)
    return this.alias(table)
  }

  /** May the database make a join of the next subselect? Only of the first few. */
  isNextJoined(): boolean {
    this.#crossings += 1
    return this.#crossings <= this.dialect.joinedSubselects
  }

  /** The slot of a value that comes from the model. */
  constant(value: unknown, column: ColumnType): number {
    return this.#cellCount + this.constants.push(this.dialect.cell(value, column))
  }
}

interface Join {
  readonly at: string
  readonly relation: ResourceField
  readonly linkFilter: Filter | null
  readonly alias: string
  readonly sql: string
}

/** A table and the LEFT JOINs that paths from it ask for; paths over the same relation and link filter share one. */
class From {
  readonly #root: string
  readonly #joins: Join[] = []

  constructor(root: string) {
    this.#root = root
  }

  /** `on` gives the link filter's condition for the alias. The joined side is found by its pk, so rows never multiply. */
  join(
    { at, relation, linkFilter }: Pick<Join, 'at' | 'relation' | 'linkFilter'>,
    draft: StatementDraft,
    on: (alias: string) => string,
  ) {
    const known = this.#joins.find(
      join => join.at === at && join.relation === relation && join.linkFilter === linkFilter,
    )
    if (known) return known.alias
    const alias = draft.aliasFor(targetOf(relation))
    const condition = `${alias}."pk" = ${at}.${quote(relation.name)}${linkFilter ? ` AND ${on(alias)}` : ''}`
    const sql = ` LEFT JOIN ${sourceOf(targetOf(relation))} AS ${alias} ON ${condition}`
    this.#joins.push({ at, relation, linkFilter, alias, sql })
    return alias
  }

  get sql(): string {
    return this.#root + this.#joins.map(join => join.sql).join('')
  }
}

/** The place of a condition: the record it is about, and the FROM that it may add joins to. */
export interface SqlScope {
  readonly draft: StatementDraft
  readonly alias: string
  /** Is null inside an ON condition, where no join can be added. */
  readonly from: From | null
  /** Is it on the far side of a relation to many? Several records may have led here. */
  readonly isFar?: boolean
}

export interface OpenSqlScope extends SqlScope {
  readonly from: From
}

export const openScope = (draft: StatementDraft, resource: Resource): OpenSqlScope => {
  const alias = draft.aliasFor(resource)
  return { draft, alias, from: new From(`${sourceOf(resource)} AS ${alias}`) }
}

/** The records that a statement is about, from the source of its shape or from a part of it. */
export const recordScope = (
  draft: StatementDraft,
  resource: Resource,
  source: string = draft.shape.sourceOf(resource),
): OpenSqlScope => {
  for (const [name, table] of draft.shape.tablesOf(resource)) draft.facts.reads(name, table)
  if (draft.shape.source?.kind === 'near') noteDistances(draft.facts, draft.shape.source)
  if (draft.shape.source?.kind === 'asOf') draft.facts.limits(draft.facts.column(...asOfEntry), '>', { cells: [0] })
  return baseScope(draft, `${source} AS b`)
}

/** The record that a statement is about is always `b`. */
export const baseScope = (draft: StatementDraft, source: string): OpenSqlScope => ({
  draft,
  alias: 'b',
  from: new From(source),
})
