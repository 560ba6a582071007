// Texts that are too long. They stay as they were pasted, so that nothing is lost, and are marked.

import type { TextOf } from '../../i18n/dictionary.ts'

/** What is wrong with the length of a text, if anything. The service counts characters, not code units. */
export const tooLongText = (t: TextOf<'tooLong'>, text: string, max: number | undefined): string | undefined => {
  if (max === undefined || text.length <= max) return undefined
  const count = [...text].length
  return count > max ? t('tooLong', { count, max }) : undefined
}
