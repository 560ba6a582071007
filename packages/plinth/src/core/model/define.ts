// defineResource: what a team writes to get a resource.

import { markPlace } from '../source-place.ts'
import { noteHooks } from './attached-hooks.ts'
import type { Caller, Sender } from './caller.ts'
import type { Field } from './field.ts'
import type { StoredRecord, Values } from './record.ts'
import type { TransactionRecords } from './records.ts'
import type { Resource } from './resource.ts'
import type { Row, RowChanges, WithComputed } from './row.ts'
import type { Transaction } from './transaction.ts'
import type { Text, Title } from './words.ts'

/** Where a record's pk comes from. */
type Identifier =
  /** A UUID made by the service: v7, which grows with time, or v4 where it must not be guessable from another. */
  | { readonly kind: 'generated'; readonly unguessable?: boolean }
  /** Given by the caller, such as a country code. */
  | { readonly kind: 'assigned'; readonly pattern: RegExp; readonly max: number }
  /** The pk of the record that the to-one member `by` names: at most one record for each. */
  | { readonly kind: 'shared'; readonly by: string }
  /** The pks of several to-one members joined by `_`. `ofCaller`: the first is the caller unless the pk says otherwise. */
  | { readonly kind: 'composite'; readonly by: readonly string[]; readonly ofCaller?: boolean }
  /** The SHA-256, in hex, of a text member. */
  | { readonly kind: 'hashed'; readonly of: string }

const generated = (): Identifier => ({ kind: 'generated' })
/** The pk is a random UUID, which tells nothing about others. */
export const unguessable = (): Identifier => ({ kind: 'generated', unguessable: true })
/** Not `.` or `..`: clients that resolve addresses take them for steps in the path. */
export const assigned = (pattern: RegExp = /^(?!\.{1,2}$)[\w.~-]+$/, max = 100): Identifier => ({
  kind: 'assigned',
  pattern,
  max,
})
/** The pk is that of the record that a to-one field names: at most one record for each. */
export const sharedWith = (by: string): Identifier => ({ kind: 'shared', by })
/** The pk is made of the pks of several to-one fields, joined by `_`. */
export const composedOf = (...by: string[]): Identifier => ({ kind: 'composite', by })
/** As `composedOf`, where callers may leave out the first part: it is they themselves. */
export const ownedBy = (owner: string, ...others: string[]): Identifier => ({
  kind: 'composite',
  by: [owner, ...others],
  ofCaller: true,
})
/** The pk is the SHA-256 of a text field, in hex. */
export const hashOf = (of: string): Identifier => ({ kind: 'hashed', of })

/** What rules allow or deny on records. */
export type Operation = 'read' | 'create' | 'replace' | 'patch' | 'delete'

/** Rules by operation. `update` stands for replace and patch, `write` for all that change. What no rule allows is denied. */
export type AccessRules = { readonly [key in Operation | 'update' | 'write']?: string }

/** A write under way, before it reaches the table. `values` may be changed by the hook. */
export interface Change {
  readonly kind: 'create' | 'update' | 'delete'
  readonly resource: Resource
  readonly pk: string
  /** The record before the change; null at creation. */
  readonly before: StoredRecord | null
  /** What will be written: all members at creation, only those that change at an update, none at a deletion. */
  readonly values: Values
  readonly caller: Caller
  /** Null for what no request asked for. */
  readonly sender: Sender | null
  /** The moment of the write, by the service's clock. */
  readonly now: Date
  /** The code of the service writes for itself: checks of what the caller may do do not apply. */
  readonly isService: boolean
  /** Reads and writes in the same transaction, with the permissions of the caller. */
  readonly records: TransactionRecords
}

/** Code that runs when records are written, inside the transaction of the write. Use `defineHooks` for typed rows. */
export interface Hooks {
  /** The writes that the hooks have a part in; all of them unless given. Others are written in fewer statements. */
  readonly on?: readonly Change['kind'][]
  /** In the transaction, before the write. Await nothing but the transaction: others wait for it. */
  readonly before?: (change: Change, tx: Transaction) => Promise<void> | void
  /** In the transaction, after the write: for records that follow from this one. */
  readonly after?: (change: Change, tx: Transaction) => Promise<void> | void
  /** In the transaction, after a record came back from the trash as it was. No other hooks run then. */
  readonly restored?: (restoration: Restoration, tx: Transaction) => Promise<void> | void
  /**
   * The hooks of a new record do not read other new records of the resource, except those it refers to, and they change no records
   * by which an import finds others. `createAll` and imports then write many records in one statement: first all `before` hooks
   * run, then the statement, then all `after` hooks.
   */
  readonly batched?: boolean
}

/** A record that came back from the trash. */
export type Restoration = Omit<Change, 'kind' | 'before' | 'values'>

/** Which dates and users the service keeps in each record. */
export type Stamps = 'none' | 'dates' | 'people'

/** What `defineResource` takes. */
export interface ResourceOptions<
  Fields extends Record<string, Field>,
  S extends Stamps = Stamps,
  Label extends keyof Fields & string = keyof Fields & string,
> {
  readonly about: Text
  /** What the records are called, and what one is called; by default derived from the path and from `singular`. */
  readonly title?: Title
  readonly singularTitle?: Title
  /** The name of one record, for XML and titles; by default the path without its plural ending. */
  readonly singular?: string
  readonly label?: Label
  readonly identifier?: Identifier
  readonly fields: Fields
  readonly access: AccessRules
  readonly hooks?: Hooks
  /** `createdDate` and `lastModifiedDate` are kept unless 'none'; 'people' adds `createdBy` and `lastModifiedBy`. */
  readonly stamps?: S
  /** False: the web client offers no form and no import for new records, because other pages make them. The API is not affected. */
  readonly createForm?: boolean
  /** Also show the pk as `id`. */
  readonly showsId?: boolean
  /** Keeps who changed what and when, and shows records as they were. */
  readonly history?: boolean
  /**
   * True: deleted records can be restored for some time, with all that was deleted with them. Unless it is false, records also go to
   * the trash with those that they are deleted with.
   */
  readonly trash?: boolean
  /** Members that are unique or indexed together. */
  readonly uniqueTogether?: readonly (readonly string[])[]
  readonly indexes?: readonly (readonly string[])[]
  /** The name of the resource before it was renamed: its table, and the tables of its links, are renamed with their records. */
  readonly renamedFrom?: string
  /** Internal: a table for the service's own use, with no route. */
  readonly internal?: boolean
  /** Not for credentials of limited scope, such as API keys. */
  readonly inPerson?: boolean
  /** The records are keys or sessions: backups that are not encrypted leave them out. */
  readonly backup?: 'encrypted'
  /** The records lie in another resource's table, selected by one of its text members; both show the same records. */
  readonly storedIn?: StoredIn
  /** Members that accompany the change events of a record, beyond those that its read rule looks at. */
  readonly eventFields?: readonly (keyof Fields & string)[]
  readonly cors?: CorsRule
  /** The default families of its operations; J where none is given. */
  readonly families?: { readonly [operation in GenericOperation]?: Family }
}

/** The generic endpoints. `relationship` is at `/{pk}/relationships/{relation}`, `related` at `/{pk}/{relation}`. */
export type GenericOperation =
  | 'create'
  | 'search'
  | 'find'
  | 'replace'
  | 'delete'
  | 'patch'
  | 'relationship'
  | 'related'

/** Families of media types. J: JSON and HAL. A: JSON:API. X: XML and JSON, of which JSON is the default. */
export type Family = 'J' | 'A' | 'X'

/** The family of a response when the caller does not name a format. */
export const familyOf = ({ families }: Pick<ResourceDefinition, 'families'>, operation: GenericOperation): Family =>
  families?.[operation] ?? 'J'

interface StoredIn {
  readonly resource: string
  readonly where: { readonly member: string; readonly equals: string }
}

/** Origins allowed on this resource beyond the service's own: a fixed list, or a list member of each record. */
interface CorsRule {
  readonly origins?: readonly string[]
  readonly originsMember?: string
}

/** A resource as `defineResource` declares it. */
export interface ResourceDefinition<
  Fields extends Record<string, Field> = Record<string, Field>,
  S extends Stamps = Stamps,
  Name extends string = string,
  Label extends string = string,
> extends Omit<ResourceOptions<Fields, S>, 'label' | 'eventFields'> {
  readonly name: Name
  readonly label?: Label
  readonly eventFields?: readonly string[]
  readonly singular: string
  readonly identifier: Identifier
  readonly stamps: S
  /** The definition that this one was made from, for the settings of one service. Code asks for records by that one. */
  readonly variantOf?: ResourceDefinition
}

/** Options of a resource that the types of clients depend on. */
export interface ResourceTraits<Internal, ShowsId> {
  readonly internal?: Internal
  readonly showsId?: ShowsId
}

/** Declares a resource: its table, routes, formats, schemas and rights all follow from this. */
export const defineResource = <
  const Name extends string,
  const Fields extends Record<string, Field>,
  const S extends Stamps = 'dates',
  const Label extends keyof Fields & string = never,
  const Internal extends boolean = false,
  const ShowsId extends boolean = false,
>(
  name: Name,
  options: ResourceOptions<Fields, S, Label> & { readonly fields: WithComputed<Fields> } & ResourceTraits<
      Internal,
      ShowsId
    >,
): ResourceDefinition<Fields, S, Name, Label> & ResourceTraits<Internal, ShowsId> =>
  markPlace(
    {
      ...options,
      name,
      singular: options.singular ?? singularOf(name),
      identifier: options.identifier ?? generated(),
      stamps: options.stamps ?? ('dates' as S),
    },
    defineResource,
  )

/** A definition as the settings of one service have it. Code asks for its records by `origin`, whatever the settings. */
export const variantOf = <D extends ResourceDefinition>(origin: D, definition: D): D => ({
  ...definition,
  variantOf: origin,
})

const singularOf = (plural: string): string => plural.replace(/ies$/, 'y').replace(/(?<!s)s$/, '')

// Hooks typed by the definition whose records they follow.

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** A change of a record of `D`. The values of `input` fields are what their `prepare` returns. */
export type ChangeOf<D> = Omit<Change, 'before' | 'values'> & {
  readonly before: Row<D> | null
  readonly values: Writable<RowChanges<D>>
}

/** Hooks, typed by the definition of their resource. */
export interface HooksOf<D> extends Pick<Hooks, 'on' | 'restored' | 'batched'> {
  readonly before?: (change: ChangeOf<D>, tx: Transaction) => Promise<void> | void
  readonly after?: (change: ChangeOf<D>, tx: Transaction) => Promise<void> | void
}

/** The registry attaches hooks to their resource, so the records that they get are those of the definition. */
export const defineHooks = <D extends ResourceDefinition>(definition: D, hooks: HooksOf<D>): Hooks => {
  const placed = markPlace(hooks as Hooks, defineHooks)
  noteHooks(definition, placed)
  return placed
}
