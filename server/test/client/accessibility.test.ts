// No page has a serious accessibility fault, in either theme, on a desktop or a phone.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { arrive, faultsIn, looks, patience, type Visitor } from './visitor.ts'

vi.setConfig(patience)

let visitor: Visitor
beforeAll(async () => {
  visitor = await arrive()
})
afterAll(() => visitor.leave())

const matrix = '/resources/films/00000000-0000-7000-a004-000000000000'

const open = [
  '/',
  '/sign-in',
  '/register',
  '/forgot-password',
  '/reset-password#username=a&token=b',
  '/confirm',
  '/nowhere',
]

const signedIn = [
  '/',
  '/resources',
  '/resources/films',
  '/resources/films?filter=nmae==x',
  '/resources/films?q=nothing+like+this',
  '/resources/films?w.title=a',
  '/resources/films/new',
  '/resources/users/new',
  matrix,
  `${matrix}?tab=copies`,
  `${matrix}/edit`,
  '/resources/contactDetails',
  '/account',
  '/account/security',
  '/account/sessions',
  '/account/keys',
]

describe.each(looks)('on a %s in %s colours', (screen, colours) => {
  const look = async (path: string) => {
    await visitor.follow(path)
    expect(await faultsIn(colours, visitor)).toEqual([])
  }

  describe('without signing in', () => {
    beforeAll(async () => {
      await visitor.forget()
      await visitor.resize(screen)
      await visitor.visit('/')
    })
    test.each(open)('%s', look)
  })

  describe('for an administrator', () => {
    beforeAll(async () => {
      await visitor.signIn('admin')
      await visitor.resize(screen)
      await visitor.visit('/')
    })
    test.each(signedIn)('%s', look)
  })
})
