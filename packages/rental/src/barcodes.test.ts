import { expect, test } from 'vitest'
import { checkDigit, isSoundCode, trimScan } from './barcodes.ts'

test.each([
  ['400638133393', 1],
  ['03600029145', 2],
  ['7351353', 7],
  ['000000000000', 0],
])('the check digit of %s is %i', (digits, expected) => {
  expect(checkDigit(digits)).toBe(expected)
})

test.each([
  ['4006381333931', true],
  ['4006381333932', false],
  ['4006381339331', false],
  ['036000291452', true],
  ['036000291453', false],
  ['73513537', true],
  ['73513573', false],
  ['1234', true],
  ['COPY-0001', true],
  ['12345678901234', true],
])('%s is sound: %s', (code, expected) => {
  expect(isSoundCode(code)).toBe(expected)
})

test.each([
  ['COPY-1\r\n', 'COPY-1'],
  [']E04006381333931\r', '4006381333931'],
  [']C1COPY-1\t', 'COPY-1'],
  ['\u0002COPY-1\u0003', 'COPY-1'],
  ['  COPY 1  ', 'COPY 1'],
  [']nothing', ']nothing'],
  ['', ''],
])('of %j only the code %j is taken', (scanned, code) => {
  expect(trimScan(scanned)).toBe(code)
})
