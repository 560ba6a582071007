import { expect, test } from 'vitest'

test('passes', () => {
  expect('the command').toBe('the command')
})
