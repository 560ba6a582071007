// The rules that a definition can have, by operation.

import type { Mistake } from './mistake.ts'

/** What rules allow or deny on records. */
export type Operation = 'read' | 'create' | 'replace' | 'patch' | 'delete'

/** Rules by operation. `update` stands for replace and patch, `write` for all that change. What no rule allows is denied. */
export type AccessRules = { readonly [key in Operation | 'update' | 'write']?: string }

/** Refuses other names with a sentence. */
export type KnownRules<Access> = {
  readonly [Name in Exclude<
    keyof Access & string,
    keyof AccessRules
  >]: Mistake<`there is no rule '${Name}'; the rules are read, create, replace, patch, delete, update and write`>
}

export const operations = ['read', 'create', 'replace', 'patch', 'delete'] as const satisfies readonly Operation[]

/** The names under which definitions and configuration can give a rule. */
export const ruleNames = [...operations, 'update', 'write'] as const
