/** A migration, to be read by a person before or after it is applied. */
export interface Plan {
  /** What is done, in order. */
  readonly steps: readonly { readonly why: string; readonly sql: string }[]
  /** What the database has and the model does not: left alone. */
  readonly leftAlone: readonly string[]
  /** What cannot be done without a person's decision: the start stops. */
  readonly refused: readonly string[]
}
