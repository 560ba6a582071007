import { defineDictionary } from '@plinth/web'

export const ownDataTexts = defineDictionary(
  'ownData',
  {
    export: 'Export my data',
    exportAbout:
      'A ZIP archive with your account, the records that refer to it, your files, your devices and what the audit log has about you.',
    exportStart: 'Make an export',
    exportAgain: 'Make a new export',
    exportAsked: 'Your export is being made. We send you an e-mail when it is ready.',
    exportWaiting: 'Your export of {date} is being made.',
    exportFailed: 'Your export of {date} failed. Try again.',
    exportReady: 'Your export of {date} is ready: {size}. It is deleted on {until}.',
    download: 'Download',
    remove: 'Delete',
    deletion: 'Delete my account',
    deletionAbout: {
      one: 'Your account is deleted after {count} day. Until then you can sign in and cancel.',
      other: 'Your account is deleted after {count} days. Until then you can sign in and cancel.',
    },
    deletionAtOnce: 'Your account is deleted within an hour.',
    isDeleted: 'Deleted with your account: {titles}.',
    isKept: 'Kept, because others need it, but without your name: {titles}.',
    isElsewhere:
      'What you have written for others stays, without your name. The audit log and backups keep what they have until it expires.',
    deletionStart: 'Delete my account',
    deletionQuestion: 'Delete your account?',
    deletionDue: 'Your account will be deleted on {date}.',
    deletionAsked: 'Your account will be deleted.',
    deletionCancel: 'Keep my account',
    deletionCancelled: 'Your account stays.',
  },
  {
    export: 'Meine Daten exportieren',
    exportAbout:
      'Ein ZIP-Archiv mit Ihrem Konto, den Datensätzen, die darauf verweisen, Ihren Dateien und Geräten und dem, was das Audit-Log über Sie enthält.',
    exportStart: 'Export erstellen',
    exportAgain: 'Neuen Export erstellen',
    exportAsked: 'Ihr Export wird erstellt. Sie bekommen eine E-Mail, wenn er fertig ist.',
    exportWaiting: 'Ihr Export vom {date} wird erstellt.',
    exportFailed: 'Ihr Export vom {date} ist fehlgeschlagen. Versuchen Sie es noch einmal.',
    exportReady: 'Ihr Export vom {date} ist fertig: {size}. Er wird am {until} gelöscht.',
    download: 'Herunterladen',
    remove: 'Löschen',
    deletion: 'Mein Konto löschen',
    deletionAbout: {
      one: 'Ihr Konto wird nach {count} Tag gelöscht. Bis dahin können Sie sich anmelden und die Löschung abbrechen.',
      other:
        'Ihr Konto wird nach {count} Tagen gelöscht. Bis dahin können Sie sich anmelden und die Löschung abbrechen.',
    },
    deletionAtOnce: 'Ihr Konto wird innerhalb einer Stunde gelöscht.',
    isDeleted: 'Mit Ihrem Konto werden gelöscht: {titles}.',
    isKept: 'Bleibt ohne Ihren Namen, weil andere es brauchen: {titles}.',
    isElsewhere:
      'Was Sie für andere geschrieben haben, bleibt ohne Ihren Namen. Audit-Log und Backups behalten, was sie enthalten, bis es abläuft.',
    deletionStart: 'Mein Konto löschen',
    deletionQuestion: 'Ihr Konto löschen?',
    deletionDue: 'Ihr Konto wird am {date} gelöscht.',
    deletionAsked: 'Ihr Konto wird gelöscht.',
    deletionCancel: 'Konto behalten',
    deletionCancelled: 'Ihr Konto bleibt.',
  },
)
