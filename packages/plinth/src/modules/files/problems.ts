// Problems and faults of files.

import { defineFaults } from '../../core/fault.ts'
import { defineProblems } from '../../core/problem.ts'

export const fileProblem = defineProblems({
  quota_exceeded: {
    status: 409,
    title: { en: 'Quota exceeded', de: 'Speicherplatz verbraucht' },
    meaning: 'The storage quota of the user is used up; delete files first.',
  },
})

export const fileFault = defineFaults({
  file_name: {
    en: 'must have 1 to 100 letters, digits, dots, dashes and underscores, and must not be a reserved name',
    de: 'Verwenden Sie 1 bis 100 Buchstaben, Ziffern, Punkte, Binde- und Unterstriche. Einige Namen sind reserviert.',
  },
  picture: {
    en: 'must be a PNG, JPEG, GIF or WebP image of at most {max} megapixels',
    de: 'Wählen Sie ein Bild im Format PNG, JPEG, GIF oder WebP mit höchstens {max} Megapixeln.',
  },
  file_type: {
    en: 'must be a file of one of these types: {types}',
    de: 'Wählen Sie eine Datei eines dieser Typen: {types}',
  },
  file_size: { en: 'must have at most {max} bytes', de: 'Wählen Sie eine Datei mit höchstens {max} Bytes.' },
  file_field: {
    en: 'is not a field of files; the fields are {fields}',
    de: 'Das ist kein Feld für Dateien; die Felder sind {fields}.',
  },
  file_unknown: {
    en: 'is no file that the caller has uploaded for this field in the last day; upload it again',
    de: 'Diese Datei gibt es nicht mehr. Wählen Sie sie noch einmal aus.',
  },
  one_file: { en: 'takes one file', de: 'Wählen Sie eine Datei.' },
})
