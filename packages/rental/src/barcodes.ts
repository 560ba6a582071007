// Codes as scanners send them.

import { rentalFault } from './problems.ts'

/** Lengths at which a code of digits is an EAN-8, UPC-A or EAN-13, whose last digit checks the others. */
const checkedLengths = new Set([8, 12, 13])

/** GS1 General Specifications, section 7.9: weights 3 and 1 in turn, from the right. */
export const checkDigit = (digits: string): number => {
  let sum = 0
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at])
    sum += at % 2 === 0 ? 3 * digit : digit
  }
  return (10 - (sum % 10)) % 10
}

/** Returns false when the code says itself that it was misread. */
export const isSoundCode = (code: string): boolean =>
  !(checkedLengths.has(code.length) && /^\d+$/.test(code)) || checkDigit(code.slice(0, -1)) === Number(code.at(-1))

/**
 * What was scanned, without what scanners put around it: the symbology identifier of ISO/IEC 15424 (`]E0`, `]C1`),
 * and the line end or tab that stands for the Enter key.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: scanners send them
export const trimScan = (scanned: string): string => scanned.replace(/^[\s\x02]*(\][A-Za-z]\d)?|[\s\x03\x04]+$/g, '')

export const barcodePattern = {
  is: /^[A-Za-z0-9](?:[A-Za-z0-9 ._-]{0,38}[A-Za-z0-9])?$/,
  says: rentalFault('barcode'),
}
