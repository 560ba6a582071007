// A table as the model needs it.

import type { CheckCondition } from '../../model/check-condition.ts'
import type { OnDelete } from '../../model/field.ts'
import type { ColumnType } from '../../model/value-field.ts'

export interface Table {
  readonly name: string
  readonly columns: readonly TableColumn[]
  readonly primaryKey: readonly string[]
  readonly indexes: readonly TableIndex[]
  /** The names before the resource, or the field whose links it holds, was renamed. */
  readonly formerNames: readonly string[]
  /** Pairs of keys and nothing else, which SQLite keeps in the key's own tree. */
  readonly pairs: boolean
  /** What must hold in each row; SQL that both databases understand alike. */
  readonly checks?: readonly TableCheck[]
}

export interface TableCheck {
  readonly name: string
  /** The text of the definition. */
  readonly rule: string
  readonly condition: CheckCondition
}

export interface TableColumn {
  readonly name: string
  readonly type: ColumnType
  readonly required: boolean
  readonly references: ForeignKey | null
  readonly formerNames: readonly string[]
  /** What records that exist before the column get in it. */
  readonly initial: InitialValue | null
  /** The column whose text this one holds with case folded. */
  readonly foldOf: string | null
  /** The only values that it can have. */
  readonly choices?: readonly string[]
}

export interface ForeignKey {
  /** The constraint's name on PostgreSQL, by which a violation is traced back to its field. */
  readonly name: string
  readonly table: string
  readonly onDelete: OnDelete
}

export type InitialValue = { readonly kind: 'constant'; readonly value: unknown } | { readonly kind: 'now' }

export interface TableIndex {
  readonly name: string
  readonly columns: readonly string[]
  readonly unique: boolean
  readonly kind: IndexKind
}

/**
 * `anyCase`: in an order that ignores the case of ASCII letters. `trigrams`: for searches for a part of a text. Only indexes of whole
 * columns can be unique.
 */
type IndexKind = 'columns' | 'anyCase' | 'trigrams'
