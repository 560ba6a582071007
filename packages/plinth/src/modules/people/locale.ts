// The language of a user, which mails, dates and the web client follow.

import type { TextPattern } from '../../core/model/fields/text.ts'
import { peopleFault } from './problems.ts'

const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** Is it the code of a language that exists? `zz` has the form of one. */
const isLanguage = (locale: string): boolean => {
  try {
    const { language } = new Intl.Locale(locale.replaceAll('_', '-'))
    return languages.of(language) !== undefined
  } catch {
    return false
  }
}

export const localePattern: TextPattern = {
  is: /^[A-Za-z]{2,3}([-_][A-Za-z0-9]{1,8})*$/,
  says: peopleFault('locale'),
  faultOf: locale => (isLanguage(locale) ? null : peopleFault('locale')),
}

/** Can this text be the locale of a user? */
export const isLocale = (text: string): boolean =>
  text.length <= maxLocale && localePattern.is.test(text) && isLanguage(text)

export const maxLocale = 20
