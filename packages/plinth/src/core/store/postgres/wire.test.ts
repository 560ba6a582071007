import { afterEach, expect, test, vi } from 'vitest'
import { PreparedTexts } from './wire.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('a text is prepared when it comes again', () => {
  const texts = new PreparedTexts()
  expect(texts.of('SELECT 1').prepared).toBe(false)
  expect(texts.of('SELECT 1').prepared).toBe(true)
})

test('no more than a thousand texts are prepared in half an hour', () => {
  vi.useFakeTimers()
  const texts = new PreparedTexts()
  const twice = (text: string): boolean => {
    texts.of(text)
    return texts.of(text).prepared
  }
  const prepared = Array.from({ length: 1200 }, (_, index) => twice(`SELECT ${index}`)).filter(Boolean)
  expect(prepared).toHaveLength(1000)
  expect(twice('SELECT later')).toBe(false)
  vi.advanceTimersByTime(30 * 60 * 1000)
  expect(twice('SELECT later')).toBe(true)
})

test('placeholders are listed in the order of the text', () => {
  const { template, order, reads } = new PreparedTexts().of('UPDATE t SET a = $2, b = $3 WHERE pk = $1 OR c = $2')
  expect([...template]).toEqual(['UPDATE t SET a = ', ', b = ', ' WHERE pk = ', ' OR c = ', ''])
  expect(order).toEqual([2, 3, 1, 2])
  expect(reads).toBe(false)
})
