// Names of files come from callers: they stand in addresses and headers, and may be saved on any system.

import { defineFaults } from '../../core/fault.ts'
import { Problem } from '../../core/problem.ts'

export const fileFault = defineFaults({
  file_name: 'must have 1 to 100 letters, digits, dots, dashes and underscores, and be no reserved name',
  picture: 'must be a PNG, JPEG, GIF or WebP picture of at most {max} megapixels',
})

const safe = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

/** Devices on Windows, whatever ending follows. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

export const isFileName = (name: string): boolean =>
  safe.test(name) && !reserved.test(name) && !name.includes('..') && !name.endsWith('.')

export const readFileName = (field: string): string => {
  if (isFileName(field)) return field
  throw new Problem('invalid', {
    detail: 'The name of a form field cannot be the name of a file.',
    errors: [{ pointer: '', ...fileFault('file_name') }],
  })
}
