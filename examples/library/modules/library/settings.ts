import { defineSettings, integer } from 'plinth'

/** Set by `app.library.loanDays`, or by `APP_LIBRARY_LOANDAYS` in the environment. */
export const librarySettings = defineSettings('app.library', {
  loanDays: integer({ default: 21, min: 1, max: 365, about: 'Days until a loan is due.' }),
})
