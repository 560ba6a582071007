// No page has a serious accessibility fault, in either theme, on a desktop or a phone.

import { alternate, extent, runsAll } from '@plinth/test-kit/extent'
import { arrive, faultsIn, looks, patience, type Visitor } from '@plinth/test-kit/visitor'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

vi.setConfig(patience)

let visitor: Visitor
beforeAll(async () => {
  visitor = await arrive()
})
afterAll(() => visitor.leave())

const matrix = '/resources/films/00000000-0000-7000-a004-000000000000'

const openPages = [
  '/',
  '/sign-in',
  '/register',
  '/forgot-password',
  '/reset-password#username=a&token=b',
  '/confirm',
  '/nowhere',
]

const pagesOfAdministrators = [
  '/',
  '/resources',
  '/resources/films',
  '/resources/films?filter=nmae==x',
  '/resources/films?q=nothing+like+this',
  '/resources/films?w.title=a',
  '/resources/films/new',
  '/resources/users/new',
  '/resources/users/trash',
  matrix,
  `${matrix}?tab=copies`,
  `${matrix}?tab=_history`,
  `${matrix}/edit`,
  '/resources/contactDetails',
  '/account',
  '/account/security',
  '/account/sessions',
  '/account/keys',
]

const isAccessible = async ({ look: [screen, colours], path }: { look: (typeof looks)[number]; path: string }) => {
  await visitor.resize(screen)
  await visitor.visit(path)
  await visitor.settle()
  expect(await faultsIn(colours, visitor)).toEqual([])
}

const inLooks = (paths: readonly string[]) => alternate(paths, looks).map(([look, path]) => ({ look, path }))

// `npm test` tests the sign-in page with the colours of an application.
describe.runIf(runsAll)('without signing in', () => {
  beforeAll(async () => {
    await visitor.forget()
    await visitor.visit('/')
  })
  test.each(inLooks(openPages))('$path is accessible on a $look', isAccessible)
})

describe('for an administrator', () => {
  beforeAll(async () => {
    await visitor.signIn('admin')
  })
  test.each(inLooks(extent(['/resources/films', '/resources/films/new', '/account/security'], pagesOfAdministrators)))(
    '$path is accessible on a $look',
    isAccessible,
  )
})
