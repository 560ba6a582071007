// Conditions on texts: those that fold the same text share the work, which takes longer than all comparisons with it.

import type { StatementDraft } from './from.ts'

/** A condition on a value. */
export interface ValueTest {
  readonly holds: (expression: string) => string
  /** The same, given the folded text; absent where it is not all that the condition looks at. */
  readonly holdsFolded?: ((folded: string) => string) | undefined
}

export interface TestedExpression {
  readonly expression: string
  readonly condition: ValueTest
}

/** `joiner`: whether each of them has to hold, or any. */
export const testsOf = (
  { dialect }: StatementDraft,
  tests: readonly TestedExpression[],
  joiner: ' AND ' | ' OR ',
): readonly string[] => {
  const folded = new Map<string, TestedExpression[]>()
  for (const test of tests) {
    if (!test.condition.holdsFolded) continue
    const alike = folded.get(test.expression)
    if (alike) alike.push(test)
    else folded.set(test.expression, [test])
  }
  const isShared = ({ expression, condition }: TestedExpression) =>
    condition.holdsFolded !== undefined && (folded.get(expression)?.length ?? 0) > 1
  const alone = tests.filter(test => !isShared(test))
  const shared = [...folded].filter(([, alike]) => alike.length > 1)
  return [
    ...alone.map(({ expression, condition }) => condition.holds(expression)),
    ...shared.map(([expression, alike]) =>
      dialect.testFolded(expression, text =>
        alike.flatMap(({ condition }) => condition.holdsFolded?.(text) ?? []).join(joiner),
      ),
    ),
  ]
}
