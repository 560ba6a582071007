// How hard a new password is to guess, and whether it has leaked: what settings ask for beyond the rules that every password follows.

import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { list } from '../../core/config/fields.ts'
import { defineSettings } from '../../core/config/settings.ts'
import { lazy } from '../../core/lazy.ts'
import type { CodeContext } from '../../core/model/code-context.ts'
import { integer, text } from '../../core/model/fields.ts'
import { type Fault, Problem } from '../../core/problem.ts'
import { hasLeaked } from './leaked-passwords.ts'
import { checkPassword, type PasswordContext, wordsOf } from './passwords.ts'
import { peopleFault } from './problems.ts'

export const passwordSettings = defineSettings('app.passwords', {
  minScore: integer({
    default: 0,
    min: 0,
    max: 4,
    about:
      'How hard new passwords are to guess, at least, by the estimate of zxcvbn: 3 is recommended, 0 refuses the most common ones alone.',
  }),
  words: list(text(), {
    default: ['plinth'],
    about:
      'Words that everyone would try, such as the names of the application and of the company: they make a password no harder to guess.',
  }),
  leaks: text({
    default: '',
    max: 500,
    about:
      'The address of an API that knows leaked passwords by ranges, such as `https://api.pwnedpasswords.com/range/`: new passwords that it knows are refused. It gets the first five digits of a SHA-1. Empty: none is asked.',
  }),
})

/** The faults of a new password; an empty list when it is accepted. Outside of transactions: another service may be asked. */
export const judgePassword = async (
  password: string,
  context: PasswordContext,
  code: CodeContext,
): Promise<readonly Fault[]> => {
  const faults = await judgeStrength(password, context, code)
  if (faults.length > 0) return faults
  const { leaks } = code.settings(passwordSettings)
  return leaks !== '' && (await hasLeaked(password, leaks, code.log)) ? faultAtPassword('leaked_password') : []
}

/** The same without asking another service. */
export const judgeStrength = async (
  password: string,
  context: PasswordContext,
  { settings }: Pick<CodeContext, 'settings'>,
): Promise<readonly Fault[]> => {
  const faults = checkPassword(password, context)
  const { minScore, words } = settings(passwordSettings)
  if (faults.length > 0 || minScore === 0) return faults
  const known = [...words, ...wordsOf(context), ...germanWords]
  const { score } = (await estimator()).check(password.slice(0, mostCharacters), known)
  return score < minScore ? faultAtPassword('guessable_password') : []
}

/** Problem `invalid` for a password that is not strong enough. */
export const mustBeStrong = async (
  password: string,
  context: PasswordContext,
  code: Pick<CodeContext, 'settings'>,
): Promise<void> => {
  const errors = await judgeStrength(password, context, code)
  if (errors.length > 0) throw new Problem('invalid', { detail: `password ${errors[0]?.message}.`, errors })
}

const faultAtPassword = (code: 'guessable_password' | 'leaked_password'): readonly Fault[] => [
  { pointer: '/password', member: 'password', ...peopleFault(code) },
]

/** The estimate takes a few milliseconds for so many characters, and seconds for hundreds. */
const mostCharacters = 32

/** The dictionaries take some 50 MB, so they are loaded only where settings ask for it. */
const estimator = lazy(async (): Promise<ZxcvbnFactory> => {
  const [{ ZxcvbnFactory }, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ])
  const chosen = ['commonWords-en', 'firstnames-en', 'seasons-en', 'months-en', 'daysOfWeek-en'] as const
  return new ZxcvbnFactory({
    dictionary: {
      ...common.dictionary,
      ...Object.fromEntries(chosen.map(name => [name, english.dictionary[name]])),
    },
    graphs: common.adjacencyGraphs,
    // More of them take a hundred times as long for texts of many digits and signs.
    l33tMaxSubstitutions: 3,
    maxLength: mostCharacters,
  })
})

/** What people at German keyboards choose most; no dictionary has the words. */
const germanWords: readonly string[] = (
  'passwort kennwort hallo schatz liebe sommer winter herbst frühling fruehling januar februar märz maerz april mai juni juli ' +
  'august september oktober november dezember montag dienstag mittwoch donnerstag freitag samstag sonntag willkommen geheim ' +
  'sonnenschein sonnenblume schalke bayern berlin hamburg münchen muenchen köln koeln deutschland fussball ficken arschloch ' +
  'schmetterling hase maus katze hund blume urlaub arbeit firma büro buero zugang start neustart qwertz'
).split(' ')
