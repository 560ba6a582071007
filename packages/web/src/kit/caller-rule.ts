// Rules about the caller, such as `caller.signedIn && !caller.has('ROLE_STAFF')`, as far as the web client needs them: they hide what a
// user cannot use. The service is what protects the data.

import type { SessionUser } from '@plinth/client'
import { hasRole } from '../session/roles.ts'

type Rule = (user: SessionUser | null) => boolean

const token = /\s*(&&|\|\||!|\(|\)|true\b|false\b|caller\.signedIn\b|caller\.has\(\s*(?:'[^']*'|"[^"]*")\s*\))/y

const tokensOf = (rule: string): readonly string[] | null => {
  const tokens: string[] = []
  token.lastIndex = 0
  while (token.lastIndex < rule.trimEnd().length) {
    const [, found] = token.exec(rule) ?? []
    if (found === undefined) return null
    tokens.push(found)
  }
  return tokens
}

/** Reads the tokens from left to right. `||` binds less than `&&`, as in the rules of the service. */
class RuleReader {
  readonly #tokens: readonly string[]
  #at = 0

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length
  }

  either(): Rule {
    const parts = [this.#both()]
    while (this.#take('||')) parts.push(this.#both())
    return user => parts.some(part => part(user))
  }

  #both(): Rule {
    const parts = [this.#one()]
    while (this.#take('&&')) parts.push(this.#one())
    return user => parts.every(part => part(user))
  }

  #one(): Rule {
    if (this.#take('!')) {
      const rule = this.#one()
      return user => !rule(user)
    }
    if (this.#take('(')) {
      const rule = this.either()
      if (!this.#take(')')) throw new Error('a parenthesis is not closed')
      return rule
    }
    const word = this.#tokens[this.#at++]
    if (word === 'true' || word === 'false') return () => word === 'true'
    if (word === 'caller.signedIn') return user => user !== null
    const [, role] = /^caller\.has\(\s*['"](.*)['"]/.exec(word ?? '') ?? []
    if (role === undefined) throw new Error('the rule ends too soon')
    return user => hasRole(user, role)
  }

  #take(expected: string): boolean {
    if (this.#tokens[this.#at] !== expected) return false
    this.#at++
    return true
  }
}

const read = (rule: string): Rule => {
  const tokens = tokensOf(rule)
  if (!tokens) throw new Error('only caller.signedIn, caller.has(…), true, false, !, && and || are known here')
  const reader = new RuleReader(tokens)
  const result = reader.either()
  if (!reader.isAtEnd) throw new Error('the rule goes on after its end')
  return result
}

const known = new Map<string, Rule>()

/** Says whether a rule allows the user. A rule that cannot be read allows no user. */
export const isAllowed = (rule: string | undefined, user: SessionUser | null): boolean => {
  if (rule === undefined) return true
  const found = known.get(rule)
  if (found) return found(user)
  try {
    known.set(rule, read(rule))
  } catch (error) {
    console.error(
      `The rule "${rule}" cannot be used in the web client: ${error instanceof Error ? error.message : error}.`,
    )
    known.set(rule, () => false)
  }
  return isAllowed(rule, user)
}
