// What the archive says about itself.

import type { User } from '../people/index.ts'

type Person = Pick<User, 'username' | 'locale'>

const texts = {
  en: (username: string, time: string) => `What is stored about ${username}, as of ${time}

records/      the account, and all records that refer to it, as far as the account may read them: a file for each kind
files/        the files that the account has sent, by kind and record
devices.json  where the account is signed in
audit.json    what happened in the name of the account, as long as the audit log keeps it

Passwords, keys and other secrets are not in this archive. Backups keep what was deleted until they expire.
`,
  de: (username: string, time: string) => `Was über ${username} gespeichert ist, Stand ${time}

records/      das Konto und alle Datensätze, die darauf verweisen, soweit das Konto sie lesen darf: eine Datei je Art
files/        die Dateien, die das Konto gesendet hat, nach Art und Datensatz
devices.json  wo das Konto angemeldet ist
audit.json    was im Namen des Kontos geschehen ist, solange es das Audit-Log aufbewahrt

Passwörter, Schlüssel und andere Geheimnisse sind nicht in diesem Archiv. Backups enthalten Gelöschtes, bis sie ablaufen.
`,
}

export const readMe = ({ username, locale }: Person, now: Date): string =>
  (locale.startsWith('de') ? texts.de : texts.en)(username, now.toISOString())
