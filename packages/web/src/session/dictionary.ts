// Texts of the dialog that asks who is there.

import { defineDictionary } from '../i18n/define-dictionary.ts'

export const confirmTexts = defineDictionary(
  'confirm-sign-in',
  {
    title: 'Confirm that it’s you',
    about: 'You signed in a while ago. This needs a fresh confirmation, so that no one else can do it in your name.',
    password: 'Password',
    code: 'Code from the app, or a recovery code',
    confirm: 'Confirm',
    wrongPassword: 'Wrong password.',
    wrongCode: 'This code is wrong or has expired.',
    wrongPasskey: 'This passkey is not one of yours, or it took too long. Try again.',
    confirmByPasskey: 'Confirm with a passkey',
    usePassword: 'Use your password instead',
    usePasskey: 'Use a passkey instead',
    useCode: 'Use a code instead',
    signInAgain: 'Sign in again with the service that you use. You come back to this page.',
  },
  {
    title: 'Bestätigen Sie, dass Sie es sind',
    about:
      'Ihre Anmeldung liegt eine Weile zurück. Dafür ist eine neue Bestätigung nötig, damit es niemand sonst in Ihrem Namen tun kann.',
    password: 'Passwort',
    code: 'Code aus der App oder Wiederherstellungscode',
    confirm: 'Bestätigen',
    wrongPassword: 'Das Passwort ist falsch.',
    wrongCode: 'Dieser Code ist falsch oder abgelaufen.',
    wrongPasskey:
      'Dieser Passkey gehört nicht zu Ihrem Konto, oder es hat zu lange gedauert. Versuchen Sie es noch einmal.',
    confirmByPasskey: 'Mit einem Passkey bestätigen',
    usePassword: 'Stattdessen das Passwort verwenden',
    usePasskey: 'Stattdessen einen Passkey verwenden',
    useCode: 'Stattdessen einen Code verwenden',
    signInAgain: 'Melden Sie sich noch einmal bei dem Dienst an, den Sie verwenden. Sie kommen auf diese Seite zurück.',
  },
)
