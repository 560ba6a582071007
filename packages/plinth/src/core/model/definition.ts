// What a definition says of the records of a resource: fields, identifier, rules, dates. The hooks are in `define.ts`, since they
// get typed records, and these are derived from here.

import type { AccessRules, Operation } from './access-rules.ts'
import type { CallerRequirements } from './caller-requirements.ts'
import type { Families } from './family.ts'
import type { Field } from './field.ts'
import type { Identifier } from './identifier.ts'
import type { Requirement } from './requirement.ts'
import type { SearchDeclaration } from './search/declaration.ts'
import type { SqlView } from './sql-view.ts'
import type { Text, Title } from './words.ts'

/** The dates and users that the service keeps in each record. */
export type Stamps = 'none' | 'dates' | 'people'

/** Files that callers add to records under names of their own choice. */
export interface OwnFiles {
  /** The operation that a caller needs on a record to add and delete files, `patch` by default. Readers of the record can read its files. */
  readonly uploadAs?: Operation
  /** Text fields, such as those made by `webLink()`, that are set to the address of the file of their name. It must be an image. */
  readonly pictures?: readonly string[]
}

/** The options of `defineResource` that the definition keeps as they are. */
export interface ModelOptions<Fields extends Record<string, Field>, S extends Stamps = Stamps> {
  readonly about: Text
  /** What the records are called, and what one is called; by default derived from the path and from `singular`. */
  readonly title?: Title
  readonly singularTitle?: Title
  /** The name of one record, for XML and titles; by default the path without its plural ending. */
  readonly singular?: string
  readonly identifier?: Identifier
  readonly fields: Fields
  readonly access: AccessRules
  /** Rules by name, for use inside other rules: `{ sameShop: 'record.shop.staff.pk == caller.pk' }`, then `read: 'sameShop'`. */
  readonly rules?: Readonly<Record<string, string>>
  /** `createdDate` and `lastModifiedDate` are kept unless 'none'; 'people' adds `createdBy` and `lastModifiedBy`. */
  readonly stamps?: S
  /**
   * Says that the web client offers no form and no import for new records if false, because other pages make them. The
   * API is not affected.
   */
  readonly createForm?: boolean
  /** Shows the pk as `id` too. */
  readonly showsId?: boolean
  /**
   * True: callers who can change a record can add files to it, under names of their choice. Files of fixed places, such as a photo, are
   * fields.
   */
  readonly files?: true | OwnFiles
  /** Keeps who changed what and when, and shows records as they were. */
  readonly history?: boolean
  /**
   * True: deleted records can be restored for some time, with all that was deleted with them. Unless it is false, records also go to
   * the trash with those that they are deleted with.
   */
  readonly trash?: boolean
  /**
   * What must hold between fields of one record, by name: `{ dates: 'record.from <= record.until' }`, or with a text of its own
   * `{ dates: { rule: '…', message: { en: '…', de: '…' } } }`. Checked at each write that changes one of the fields.
   */
  readonly checks?: Readonly<Record<string, Requirement>>
  /** Fields that are unique or indexed together. */
  readonly uniqueTogether?: readonly (readonly string[])[]
  readonly indexes?: readonly (readonly string[])[]
  /**
   * The fewest records of a group in aggregates over HTTP and with permissions: smaller groups are left out, so that their numbers do not
   * tell of single records. Where callers can also read the records one by one, it hides nothing.
   */
  readonly smallestGroup?: number
  /**
   * The text fields in which `?search=` looks for words, from the most important one to the least: `['title', 'description']`, or with
   * weights, `{ title: 3, description: 1 }`. `{ fields: […], language: 'de' }` says in which language the texts are; it is English unless given.
   */
  readonly search?: SearchDeclaration
  /** The name of the resource before it was renamed: its table, and the tables of its links, are renamed with their records. */
  readonly renamedFrom?: string
  /** Internal: a table for the service's own use, with no route. */
  readonly internal?: boolean
  /** Writes that need more than permission: `{ recentSignIn: { create: true, update: ['address'] } }`. */
  readonly requires?: CallerRequirements
  /** Refuses credentials of limited scope, such as API keys. */
  readonly inPerson?: boolean
  /** The records are keys or sessions: backups that are not encrypted leave them out. */
  readonly backup?: 'encrypted'
  /** The records lie in another resource's table, selected by one of its text fields; both show the same records. */
  readonly storedIn?: StoredIn
  readonly cors?: CorsRule
  readonly families?: Families
}

interface StoredIn {
  readonly resource: string
  readonly where: { readonly field: string; readonly equals: string }
}

/** Origins allowed on this resource beyond the service's own: a fixed list, or a list field of each record. */
interface CorsRule {
  readonly origins?: readonly string[]
  readonly originsField?: string
}

/** A resource without its hooks: all that the types of its records depend on. */
export interface ResourceModel<
  Fields extends Record<string, Field> = Record<string, Field>,
  S extends Stamps = Stamps,
  Name extends string = string,
  Label extends string = string,
> extends ModelOptions<Fields, S> {
  readonly name: Name
  readonly label?: Label
  /** Fields that accompany the change events of a record, beyond those that its read rule looks at. */
  readonly eventFields?: readonly string[]
  readonly singular: string
  readonly identifier: Identifier
  readonly stamps: S
  /** The definition that this one was made from, in one service or by an extension. Code asks for records by either. */
  readonly origin?: ResourceModel
  /** The records are the rows of this statement; they cannot be written. */
  readonly view?: SqlView
  /** The named rules of its module. */
  readonly moduleRules?: Readonly<Record<string, string>>
}
