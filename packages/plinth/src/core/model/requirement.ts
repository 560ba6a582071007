// Rules that must hold, with the words for where they do not.

import type { Text } from './words.ts'

/** A rule that must hold, and what to say where it does not. */
export type Requirement = string | { readonly rule: string; readonly message?: Text }

/** The rule with its message, however it was declared. */
export const ruleOf = (declared: Requirement): { readonly rule: string; readonly message?: Text } =>
  typeof declared === 'string' ? { rule: declared } : declared
