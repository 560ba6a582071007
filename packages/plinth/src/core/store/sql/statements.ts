// The statements made so far, by shape; and those that select whole records.

import { LRUCache } from 'lru-cache'
import type { Filter, LinkFilters } from '../../model/query.ts'
import type { StoredRecord } from '../../model/record.ts'
import type { Resource } from '../../model/resource.ts'
import type { Cell, Connection, ReadHint, ResultRow } from '../driver.ts'
import type { Publisher } from '../outbox/publish.ts'
import type { TableSizeCache } from '../table-sizes.ts'
import type { Dialect } from './dialect.ts'
import { baseScope, type SqlScope, StatementDraft } from './from.ts'
import { sourceOf } from './names.ts'
import { type ShownMembers, selectionOf, shownOf } from './selection.ts'
import type { QueryShape } from './shape.ts'
import { filterSql } from './where.ts'

export interface Statement {
  readonly sql: string
  readonly constants: readonly Cell[]
  /** It finds rows by their keys, and does nothing more with them. */
  readonly quick?: boolean
}

export interface SelectStatement extends Statement {
  readonly decode: (row: ResultRow) => StoredRecord
}

export const noLinkFilters: LinkFilters = new Map()

/** More shapes than this are in use only when callers make up new ones on purpose. */
const maxStatements = 2000

export class Statements {
  readonly dialect: Dialect
  readonly #byShape = new LRUCache<string, Statement>({ max: maxStatements })
  readonly #shown = new Map<Resource, ShownMembers>()
  /** How to read one record without conditions: asked for so often that even its key would be too much work. */
  readonly one = new Map<Resource, SelectStatement>()

  constructor(dialect: Dialect) {
    this.dialect = dialect
  }

  /** The key says which kind of statement it is, so that the kind that is found is the kind that was made. */
  of<S extends Statement>(key: string, make: () => S): S {
    const known = this.#byShape.get(key)
    if (known) return known as S
    const made = make()
    this.#byShape.set(key, made)
    return made
  }

  shown(resource: Resource): ShownMembers {
    let shown = this.#shown.get(resource)
    if (!shown) {
      shown = shownOf(resource)
      this.#shown.set(resource, shown)
    }
    return shown
  }
}

/** What reading and writing work with: the statements, and the connection to run them on. */
export interface SqlSession {
  readonly statements: Statements
  readonly connection: Connection
  /** Absent where changes are not published. */
  readonly publisher?: Publisher
  /** Absent inside a transaction, where tables may differ from what others see. */
  readonly sizes?: Pick<TableSizeCache, 'known'>
}

export const run = (
  connection: Connection,
  { sql, constants, quick }: Statement,
  cells: readonly Cell[],
  hint?: ReadHint,
) => connection.rows(sql, constants.length === 0 ? cells : [...cells, ...constants], quick, hint)

/** What a statement that selects records is made from. */
export interface SelectSource {
  readonly resource: Resource
  readonly shown: ShownMembers
  readonly shape: QueryShape
  readonly linkFilters: LinkFilters
}

/** Selects records from the table, or from what a write returns; `tail` gives what follows FROM. */
export const selecting = (source: SelectSource, from: string, tail: (scope: SqlScope) => string): SelectStatement => {
  const draft = new StatementDraft(source.shape)
  const scope = baseScope(draft, from)
  const { columns, decode } = selectionOf(scope, source.shown, source.linkFilters)
  const rest = tail(scope)
  return { sql: `SELECT ${columns.join(', ')} FROM ${scope.from.sql}${rest}`, constants: draft.constants, decode }
}

/** One record by its pk, which is the first cell. */
export const oneStatement = (source: SelectSource, visible: Filter | null, lock: boolean): SelectStatement => ({
  ...selecting(source, `${sourceOf(source.resource)} AS b`, scope => {
    const { dialect } = source.shape
    const hidden = visible ? ` AND ${filterSql(scope, visible)}` : ''
    return ` WHERE b."pk" = ${dialect.placeholder(1)}${hidden}${lock ? dialect.lock('b') : ''}`
  }),
  quick: visible === null && source.shown.members.every(({ field }) => field.role !== 'count'),
})
