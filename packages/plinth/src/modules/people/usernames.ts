// Which usernames are allowed, so that no name can be mistaken for another by its looks.

import type { FaultReason } from '../../core/fault.ts'
import type { TextPattern } from '../../core/model/fields/text.ts'
import { peopleFault } from './problems.ts'

/** Compatibility forms of a letter count as that letter, as they do in the column that keeps names unique. */
const toPlainName = (name: string): string => name.normalize('NFKC')

/**
 * Scripts that may be mixed in a name: one script, or one that is commonly used together with Latin ("highly restrictive" in
 * UTS 39, section 5.2). Characters that belong to no script may occur with all. Scripts without letters that look like Latin,
 * Greek or Cyrillic ones are not distinguished.
 */
const scriptSets: readonly RegExp[] = [
  /^[\p{sc=Zyyy}\p{sc=Zinh}\p{sc=Latn}\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}]*$/u,
  /^[\p{sc=Zyyy}\p{sc=Zinh}\p{sc=Latn}\p{sc=Hani}\p{sc=Bopo}]*$/u,
  /^[\p{sc=Zyyy}\p{sc=Zinh}\p{sc=Latn}\p{sc=Hani}\p{sc=Hang}]*$/u,
  /^[\p{sc=Zyyy}\p{sc=Zinh}\p{sc=Cyrl}]*$/u,
  /^[\p{sc=Zyyy}\p{sc=Zinh}\p{sc=Grek}]*$/u,
  /^[^\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}]*$/u,
]

/** A second dot on an i or a j is invisible. */
const hiddenDot = /\p{SD}\u0307/u

const lookAlikeFault = (name: string): FaultReason | null => {
  if (hiddenDot.test(name)) return peopleFault('hidden_marks')
  return scriptSets.some(scripts => scripts.test(name)) ? null : peopleFault('one_script')
}

/**
 * A colon would end the name in HTTP Basic (RFC 7617, section 2); an @ would make it look like an e-mail address; invisible
 * characters would make it look like another name.
 */
export const usernamePattern: TextPattern = {
  is: /^[^\s@:\p{C}\p{DI}\u2800]+$/u,
  says: peopleFault('username'),
  normal: toPlainName,
  faultOf: lookAlikeFault,
}
