// What the uses of a schema know of a resource: names and types, as text, since programs are made of them.

/** A field and its type. */
export interface UsedField {
  readonly name: string
  readonly type: string
}

export interface UsedRelation {
  readonly name: string
  readonly target: string
  /** A field of the target, with the type that it has there. */
  readonly field: UsedField
}

export interface UsedResource {
  readonly name: string
  /** The values of a new record. */
  readonly create: string
  /** A text that every record has. */
  readonly text: string
  readonly number: UsedField
  /** A relation to one record that must be there, or may be missing. */
  readonly one?: UsedRelation & { readonly optional?: boolean }
  readonly many?: UsedRelation
}

export interface UsedSchema {
  readonly name: string
  /** The file of the application, from the root of the repository. */
  readonly app: string
  readonly resources: readonly UsedResource[]
  /** Wrong calls of endpoints and steps of state machines, each with what the compiler says. */
  readonly wrong: readonly WrongUse[]
  /** Right ones, each with its type. */
  readonly right: readonly RightUse[]
}

export interface WrongUse {
  readonly code: string
  /** What the compiler says names this. */
  readonly named: string
}

export interface RightUse {
  readonly code: string
  readonly type: string
}
