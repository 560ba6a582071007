// Durations as people write them, and as the service takes them.

import { expect, test } from 'vitest'
import { durationText, readDurationText } from '../src/common/records/duration-text.ts'

test.each([
  ['PT2H26M', '2 h 26 min'],
  ['PT0S', '0 min'],
  ['P1DT2H', '26 h'],
  ['PT90S', '1 min 30 s'],
  ['PT1.5S', '1.5 s'],
  ['-PT30M', '−30 min'],
  ['soon', 'soon'],
])('%s is shown as %s', (iso, text) => {
  expect(durationText(iso)).toBe(text)
})

test.each([
  ['2 h 26 min', 'PT2H26M'],
  ['2h26m', 'PT2H26M'],
  ['2:26', 'PT2H26M'],
  ['0:00:30', 'PT30S'],
  ['1.5 h', 'PT1H30M'],
  ['1,5 Std.', 'PT1H30M'],
  ['90 min', 'PT1H30M'],
  ['1 d', 'PT24H'],
  ['pt2h', 'PT2H'],
  ['−30 min', '-PT30M'],
  ['', null],
  ['soon', null],
  ['2:60', null],
  ['15', null],
])('"%s" is understood as %s', (text, iso) => {
  expect(readDurationText(text)).toBe(iso)
})
