// Names of files come from callers: they stand in addresses and headers, and may be saved on any system.

import { Problem } from '../../core/problem.ts'

const safe = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

/** Devices on Windows, whatever ending follows. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

export const isFileName = (name: string): boolean =>
  safe.test(name) && !reserved.test(name) && !name.includes('..') && !name.endsWith('.')

export const readFileName = (field: string): string => {
  if (isFileName(field)) return field
  const message = 'must have 1 to 100 letters, digits, dots, dashes and underscores, and be no reserved name'
  throw new Problem('invalid', {
    detail: 'The name of a form field cannot be the name of a file.',
    errors: [{ pointer: '', message, code: 'name' }],
  })
}
