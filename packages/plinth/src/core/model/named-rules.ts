// Rules by name, for use inside other rules.

import type { ASTNode } from '@marcbachmann/cel-js'
import { didYouMean } from './definition-error.ts'
import type { Resource } from './resource.ts'

const ownWords: ReadonlySet<string> = new Set(['caller', 'record', 'now'])

/** `sameShop` and `sameShop()` are the same. */
export const ruleNameOf = (node: ASTNode): string | null => {
  if (node.op === 'id') return ownWords.has(node.args) ? null : node.args
  return node.op === 'call' && node.args[1].length === 0 ? node.args[0] : null
}

/** Those of the resource, and those that its module declares for all of its resources. */
export const namedRules = (resource: Resource | null): Readonly<Record<string, string>> => ({
  ...resource?.definition.moduleRules,
  ...resource?.definition.rules,
})

export const whyUnknown = (name: string, rules: Readonly<Record<string, string>>): string => {
  const known = [...Object.keys(rules), ...ownWords]
  return `there is no rule '${name}'${didYouMean(known, name) || "; declare it in 'rules', or begin with record, caller or now"}`
}
