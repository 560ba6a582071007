// What a definition says of a check over several fields.

import type { Text } from './words.ts'

/** A check as a definition declares it: what must hold, and what to say where it does not. */
export type CheckDeclaration = string | { readonly rule: string; readonly message?: Text }
