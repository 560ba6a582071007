import { expect, test } from 'vitest'

test('fails', () => {
  expect('the command').toBe('red')
})
