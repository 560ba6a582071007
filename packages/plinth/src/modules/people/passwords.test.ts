import { beforeAll, expect, test } from 'vitest'
import {
  checkPassword,
  hashPassword,
  isOutdated,
  productionHashMemory,
  setHashMemory,
  verifyPassword,
} from './passwords.ts'

beforeAll(() => setHashMemory(productionHashMemory))

const context = { username: 'quetzalina', email: 'm.vostrikova@mail.example' }

test.each([
  ['seven77', 'min_length'],
  ['x'.repeat(257), 'max_length'],
  ['password', 'common_password'],
  ['PASSWORD', 'common_password'],
  ['Password123!', 'common_password'],
  ['qwertyuiop', 'common_password'],
  ['aaaaaaaaaa', 'common_password'],
  ['ababababab', 'common_password'],
  ['23456789', 'common_password'],
  ['hgfedcba', 'common_password'],
  ['Quetzalina2024', 'password_like_name'],
  ['vostrikova!!', 'password_like_name'],
  ['with\0nul and more', 'characters'],
  ['with \ud800 alone', 'characters'],
])('%j is refused: %s', (password, code) => {
  expect(checkPassword(password, context).map(fault => fault.code)).toEqual([code])
})

test.each([
  'eight8ok',
  'correct horse battery staple',
  'z'.repeat(3).concat('correct horse battery '.repeat(11)).slice(0, 256),
  'ein schöner Satz über 日本',
  'quetzalina likes long walks at night',
  'sunflower#29571',
  '        spaces count        ',
])('%j is good', password => {
  expect(checkPassword(password, context)).toEqual([])
})

test('a hash tells its parameters, opens to its password alone and never to nothing', async () => {
  const kept = await hashPassword('correct horse')
  expect(kept).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$/)
  expect(isOutdated(kept)).toBe(false)
  expect(isOutdated(kept.replace('m=47104', 'm=19456'))).toBe(true)
  expect(await verifyPassword(kept, 'correct horse')).toBe(true)
  expect(await verifyPassword(kept, 'correct horsf')).toBe(false)
  expect(await verifyPassword(null, 'correct horse')).toBe(false)
})

test('the same characters are the same password, however they are composed', async () => {
  const kept = await hashPassword('gr\u00fc\u00dfe an alle')
  expect(await verifyPassword(kept, 'gru\u0308\u00dfe an alle')).toBe(true)
})

test('bytes beyond the seventy-second count', async () => {
  const kept = await hashPassword(`${'x'.repeat(72)}a`)
  expect(await verifyPassword(kept, `${'x'.repeat(72)}b`)).toBe(false)
})

test('when the queue is full, only the request for an unknown user is refused', async () => {
  // They take a place each, and fail as soon as their turn comes.
  const crowd = Array.from({ length: 600 }, () => hashPassword(null as unknown as string))
  const dispersed = Promise.allSettled(crowd)
  await expect(verifyPassword(null, 'correct horse')).rejects.toMatchObject({ code: 'unavailable' })
  await dispersed
  expect(await verifyPassword(null, 'correct horse')).toBe(false)
})
