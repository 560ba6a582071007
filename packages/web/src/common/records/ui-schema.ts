// How the service describes a resource and its fields, as data.

export interface Relation {
  readonly resource: string
  readonly kind: 'one' | 'many' | 'links'
  /** The field by which a related record is known; some have none. */
  readonly label?: string
  readonly by?: string
}

export interface UiField {
  /** The name of its widget. */
  readonly widget: string
  readonly label: string
  readonly help?: string
  readonly required: boolean
  readonly nullable: boolean
  readonly readOnly: boolean
  readonly writeOnly: boolean
  readonly searchable: boolean
  readonly sortable: boolean
  readonly min?: number
  readonly max?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly options?: readonly string[]
  /** The names of options that have one. */
  readonly optionLabels?: Readonly<Record<string, string>>
  /** Of a state machine: the states that can follow each state, and those of new records. */
  readonly transitions?: Readonly<Record<string, readonly string[]>>
  readonly initial?: readonly string[]
  readonly decimals?: number
  readonly default?: unknown
  readonly relation?: Relation
}

export interface UseOf {
  readonly field: string
  readonly required?: boolean
  readonly readOnly?: boolean
  readonly sortable?: boolean
  readonly wildcards?: boolean
}

export type FormOperand = { readonly field: string } | { readonly value: unknown }

/** What must hold between fields of one record. */
export type FormCondition =
  | { readonly op: 'and' | 'or'; readonly parts: readonly FormCondition[] }
  | { readonly op: 'not'; readonly part: FormCondition }
  | { readonly op: 'in'; readonly left: FormOperand; readonly among: readonly FormOperand[] }
  | {
      readonly op: '==' | '!=' | '<' | '<=' | '>' | '>='
      readonly left: FormOperand
      readonly right: FormOperand
    }

export interface RecordCheck {
  readonly name: string
  readonly rule: string
  readonly fields: readonly string[]
  readonly condition: FormCondition
  /** The text in the language of the schema. */
  readonly message?: string
}

export type UseCase = 'list' | 'search' | 'view' | 'create' | 'update' | 'relations'

export interface UiSchema {
  readonly pathFragment: string
  readonly title: string
  readonly about: string
  readonly label: string | null
  /** The fields that a search by words looks in. */
  readonly quickSearch: readonly string[]
  /** The fields that `search` looks in; absent where records are not searched by words. */
  readonly searchedByWords?: readonly string[]
  /** Is false where other pages make the records. */
  readonly createForm: boolean
  readonly defaultSort: string
  readonly rights: Readonly<
    Record<'create' | 'replace' | 'patch' | 'delete' | 'restore' | 'trash' | 'history', boolean>
  >
  readonly fields: Readonly<Record<string, UiField>>
  readonly checks?: readonly RecordCheck[]
  readonly useCases: Readonly<Record<UseCase, readonly UseOf[]>>
}

/** The part of JSON Schema that forms need for fields that are made of parts. */
export interface FieldSchema {
  readonly title?: string
  readonly type?: string | readonly string[]
  readonly readOnly?: boolean
  readonly description?: string
  readonly maxLength?: number
  readonly items?: FieldSchema
  /** What the files of a field may be. */
  readonly 'x-file'?: { readonly mediaTypes?: readonly string[] }
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, FieldSchema>>
}

export interface Schema extends UiSchema {
  readonly json: FieldSchema
}

/** One field in one use case, as the service describes it. */
export interface FieldUse extends Omit<UiField, 'widget'> {
  readonly name: string
  /** The resource that has the field, unless it is one of an endpoint. */
  readonly resource?: string
  /** The schema of a field that is made of parts. */
  readonly json: FieldSchema | undefined
  readonly isNeeded: boolean
  readonly isLocked: boolean
}
