// Names that can be taken for another's by their looks.

import type { FaultReason } from '../../core/fault.ts'
import { accountFault } from './faults.ts'

/** Compatible forms of a letter are one letter, as they are to the column that keeps names unique. */
export const toPlainName = (name: string): string => name.normalize('NFKC')

/**
 * What a name may be written in: one script, or one that goes together with Latin ("highly restrictive" in UTS 39, section
 * 5.2). Signs that belong to no script stand with all. Scripts without letters that pass for Latin, Greek or Cyrillic ones
 * are not told apart.
 */
const writings: readonly RegExp[] = [
  /^[\p{sc=Zyyy}\p{sc=Zinh}\p{sc=Latn}\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}]*$/u,
  /^[\p{sc=Zyyy}\p{sc=Zinh}\p{sc=Latn}\p{sc=Hani}\p{sc=Bopo}]*$/u,
  /^[\p{sc=Zyyy}\p{sc=Zinh}\p{sc=Latn}\p{sc=Hani}\p{sc=Hang}]*$/u,
  /^[\p{sc=Zyyy}\p{sc=Zinh}\p{sc=Cyrl}]*$/u,
  /^[\p{sc=Zyyy}\p{sc=Zinh}\p{sc=Grek}]*$/u,
  /^[^\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}]*$/u,
]

/** A second dot upon an i or a j does not show. */
const hiddenDot = /\p{SD}\u0307/u

export const lookAlikeFault = (name: string): FaultReason | null => {
  if (hiddenDot.test(name)) return accountFault('hidden_marks')
  return writings.some(writing => writing.test(name)) ? null : accountFault('one_script')
}
