// How types say what is wrong with a definition.

/** A sentence of the compiler. An object: a text that differs from the one that is there would be `never`, and not be shown. */
export interface Mistake<Sentence extends string> {
  readonly mistake: Sentence
}
