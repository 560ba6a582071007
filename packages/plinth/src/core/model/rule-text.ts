// The text of a rule → its syntax tree.

import { type ASTNode, Environment } from '@marcbachmann/cel-js'

/** A fault in a rule's text; the message says where. */
export class RuleFault extends Error {}

const environment = new Environment({ unlistedVariablesAreDyn: true, limits: { maxAstNodes: 500, maxDepth: 30 } })

export const parseRule = (expression: string): ASTNode => {
  try {
    return environment.parse(expression).ast
  } catch (error) {
    const [reason] = (error as Error).message.split('\n')
    throw new RuleFault(`'${expression}' is not an expression: ${reason}${hintFor(expression)}`)
  }
}

/** Comparisons of other languages. A single `=` may also be a part of `==`, `!=`, `<=` and `>=`. */
const foreignComparisons: readonly (readonly [pattern: RegExp, hint: string])[] = [
  [/!==/, "; compare with '!=', not with '!=='"],
  [/===/, "; compare with '==', not with '==='"],
  [/[^=!<>]=[^=]/, "; compare with '==', not with '='"],
]

const hintFor = (expression: string): string => {
  const withoutTexts = expression.replace(/'[^']*'|"[^"]*"/g, "''")
  return foreignComparisons.find(([pattern]) => pattern.test(withoutTexts))?.[1] ?? ''
}
