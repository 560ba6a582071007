// The statements made so far, by the shapes of queries.

import { LRUCache } from 'lru-cache'
import type { Resource } from '../../model/resource.ts'
import type { Dialect } from './dialect.ts'
import { type SelectedFields, selectedFields } from './selection.ts'
import type { SelectStatement, Statement } from './statement.ts'

/** The most statements; more shapes are in use only when callers make up new ones on purpose. */
const maxStatements = 2000

/** What finds a record that is read by its pk without a lock. */
export const byPk = ''

export class Statements {
  readonly dialect: Dialect
  readonly #byShape = new LRUCache<string, Statement>({ max: maxStatements })
  readonly #selected = new Map<Resource, SelectedFields>()
  /**
   * How to read one record without conditions, by what finds and locks it: asked for so often that even the key of a shape would be too
   * much work.
   */
  readonly one = new Map<Resource, Map<string, SelectStatement>>()

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

  keepOne(resource: Resource, kind: string, statement: SelectStatement): void {
    const kinds = this.one.get(resource) ?? new Map<string, SelectStatement>()
    this.one.set(resource, kinds.set(kind, statement))
  }

  /** What writes publish has changed. */
  forget(): void {
    this.#byShape.clear()
  }

  selectedOf(resource: Resource): SelectedFields {
    let selected = this.#selected.get(resource)
    if (!selected) {
      selected = selectedFields(resource)
      this.#selected.set(resource, selected)
    }
    return selected
  }
}
