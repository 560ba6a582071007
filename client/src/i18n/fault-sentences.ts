// What the service says in English of an entry that is not right, in German. What is not listed is shown as the service
// says it.

const germanSentences: readonly (readonly [RegExp, string])[] = [
  [/^must have at least (\d+) characters$/, 'Braucht mindestens $1 Zeichen.'],
  [/^must have at most (\d+) characters$/, 'Darf höchstens $1 Zeichen haben.'],
  [/^must have at most (\d+) characters as JSON$/, 'Darf als JSON höchstens $1 Zeichen haben.'],
  [/^must have at most (\d+) entries$/, 'Darf höchstens $1 Einträge haben.'],
  [/^must have at most (\d+) decimals$/, 'Darf höchstens $1 Nachkommastellen haben.'],
  [/^must be at least (.+)$/, 'Muss mindestens $1 sein.'],
  [/^must be at most (.+)$/, 'Darf höchstens $1 sein.'],
  [/^must be one of (.+)$/, 'Muss eines von diesen sein: $1'],
  [/^must not be empty$/, 'Darf nicht leer sein.'],
  [/^must not have the same entry twice$/, 'Darf keinen Eintrag zweimal haben.'],
  [/^must be (?:a number|an? .*number of at most \d+ decimals)$/, 'Muss eine Zahl sein.'],
  [/^must be a whole number$/, 'Muss eine ganze Zahl sein.'],
  [/^must be an e-mail address$/, 'Muss eine E-Mail-Adresse sein.'],
  [/^must be a telephone number$/, 'Muss eine Telefonnummer sein.'],
  [/^must be a web address or a path$/, 'Muss eine Webadresse oder ein Pfad sein.'],
  [/^must be a host name, with a port if needed$/, 'Muss ein Hostname sein, wenn nötig mit Port.'],
  [/^must be a locale$/, 'Muss ein Sprachkürzel sein.'],
  [
    /^must have no blanks, colons, @ or signs that do not show$/,
    'Darf weder Leerzeichen noch Doppelpunkt noch @ noch unsichtbare Zeichen enthalten.',
  ],
  [/^must have no marks that do not show$/, 'Darf keine unsichtbaren Zeichen enthalten.'],
  [/^must have letters of one script$/, 'Darf Buchstaben nur einer Schrift enthalten.'],
  [/^must begin with ROLE_ and go on in capitals$/, 'Muss mit ROLE_ beginnen und in Großbuchstaben weitergehen.'],
  [
    /^must be 1 to 40 letters, digits, blanks, points, dashes or underscores$/,
    'Muss aus 1 bis 40 Buchstaben, Ziffern, Leerzeichen, Punkten, Strichen oder Unterstrichen bestehen.',
  ],
  [
    /^must be read, write, <resource>:read or <resource>:write$/,
    'Muss read, write, <Art>:read oder <Art>:write sein, etwa films:read.',
  ],
  [/^(?:must be|is not) a date/, 'Muss ein Datum sein.'],
  [/^is not a day of the calendar$/, 'Diesen Tag gibt es nicht.'],
  [/^(?:is not a time|(?:must be|is not) an ISO 8601 time.*)$/, 'Muss ein Zeitpunkt sein.'],
  [/^is outside the years 1 to 9999$/, 'Liegt außerhalb der Jahre 1 bis 9999.'],
  [/^is too large$/, 'Ist zu groß.'],
  [/^holds characters that are not text$/, 'Enthält Zeichen, die kein Text sind.'],
  [/^no such (?:user|record in \w+)$/, 'Gibt es nicht.'],
]

export const inGerman = (message: string): string | null => {
  const [pattern, german] = germanSentences.find(([known]) => known.test(message)) ?? []
  return pattern && german ? message.replace(pattern, german) : null
}
