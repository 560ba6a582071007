// What modules add to the web client, with the pages of the examples: areas, cards, widgets and tabs, and what becomes of mistakes.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seriousFaults } from '@plinth/test-kit/axe'
import { openBrowser, type TestBrowser } from '@plinth/test-kit/browser'
import { describeAll, testAll } from '@plinth/test-kit/extent'
import { patience } from '@plinth/test-kit/visitor'
import { defineApp, defineModule, defineResource, integer, text } from 'plinth'
import { startPlinth, type TestService } from 'plinth/testing'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { loans } from '../../../examples/library/modules/library/loans.ts'
import library from '../../../examples/library/plinth.config.ts'
import { workshop as workshopModule } from '../../../examples/workshop/modules/workshop/index.ts'
import { tickets } from '../../../examples/workshop/modules/workshop/tickets.ts'
import workshop from '../../../examples/workshop/plinth.config.ts'

vi.setConfig(patience)

interface Scene {
  readonly service: TestService
  readonly browser: TestBrowser
}

const signIn = async ({ service, browser }: Scene, username: string): Promise<void> => {
  const credentials = { data: { username, password: username } }
  const answer = await browser.context.request.post(`${service.url}/api/auth/userDetails`, credentials)
  expect(answer.status()).toBe(200)
}

const open = async (start: () => Promise<TestService>): Promise<Scene> => {
  const service = await start()
  const browser = await openBrowser(service.url)
  browser.page.setDefaultTimeout(30_000)
  return { service, browser }
}

const close = async (scene: Scene | undefined): Promise<void> => {
  await scene?.browser.close()
  await scene?.service.stop()
}

describe('the workshop', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await open(() => startPlinth({ app: workshop, pages: true }))
    await signIn(scene, 'staff')
  })
  afterAll(() => close(scene))

  test('a card on the start page counts the open repairs and leads to the board', async () => {
    const { page, load } = scene.browser
    await load('/')
    const card = page.getByRole('main').locator('section', { hasText: 'Open repairs' })
    await expect.poll(() => card.textContent()).toBe('Open repairs1')
    expect(await seriousFaults(page)).toEqual([])
    await card.getByRole('link', { name: 'Open repairs' }).click()
    await page.getByRole('heading', { level: 1, name: 'Repairs' }).waitFor()
    const received = page.getByRole('region', { name: 'Received' })
    await expect.poll(() => received.getByRole('link').count()).toBe(1)
    expect(await seriousFaults(page)).toEqual([])
  })

  test('a repair has buttons from its endpoints and a widget of the module, and moves on the board at once', async () => {
    const { page, load } = scene.browser
    await load('/board')
    await page.getByRole('region', { name: 'Received' }).getByRole('link').click()
    const main = page.getByRole('main')
    await main.getByRole('button', { name: 'Postpone' }).waitFor()
    // The steps of the widget, in place of a word.
    await main.getByRole('button', { name: /Ready/ }).first().waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await main.getByRole('button', { name: 'Take over' }).click()
    await page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'Board' }).click()
    const repairing = page.getByRole('region', { name: 'In repair' })
    await expect.poll(() => repairing.getByRole('link').count()).toBe(1)
  })

  testAll('a form says at once which check over several fields does not hold', async () => {
    const { page, load } = scene.browser
    const [ticket] = await scene.service.records.find(tickets)
    await load(`/resources/tickets/${ticket?.pk}/edit`)
    const main = page.getByRole('main')
    const promised = main.getByLabel(/^Promised for/)
    await promised.fill('2000-01-01')
    const fault = main.getByText(/must not be before the device is brought/)
    await fault.first().waitFor()
    await promised.fill('2100-01-01')
    await expect.poll(() => fault.count()).toBe(0)
    await main.getByRole('button', { name: 'Save' }).click()
    await main.getByRole('button', { name: 'Postpone' }).waitFor()
  })

  testAll('several repairs are postponed at once', async () => {
    const { page, load } = scene.browser
    await load('/resources/tickets')
    await page.getByRole('checkbox', { name: 'Select 1 record' }).click()
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Postpone' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: /^Promised for/ }).fill('2030-01-31')
    await dialog.getByRole('button', { name: 'Postpone' }).click()
    await dialog.waitFor({ state: 'detached' })
    const [ticket] = await scene.service.records.find(tickets)
    expect(ticket?.promisedFor).toBe('2030-01-31')
  })

  testAll('a device is taken in by a form for some fields of a resource, and taken over from the board', async () => {
    const { page, load } = scene.browser
    await load('/reception')
    const main = page.getByRole('main')
    await main.getByRole('button', { name: 'Take in', exact: true }).click()
    await main.getByText('Please check the marked fields.').waitFor()
    expect(await main.getByRole('textbox', { name: /^State/ }).count()).toBe(0)
    await main.getByRole('textbox', { name: /^Damage/ }).fill('The chain slips.')
    await main.getByRole('combobox', { name: /^Device/ }).fill('Bromp')
    await page.getByRole('option', { name: 'Brompton C Line' }).click()
    expect(await seriousFaults(page)).toEqual([])
    await main.getByRole('button', { name: 'Take in', exact: true }).click()
    await main.getByRole('link', { name: /^Repair \d{4}-/ }).waitFor()
    // The form is ready for the next device.
    expect(await main.getByRole('textbox', { name: /^Damage/ }).inputValue()).toBe('')
    await load('/board')
    const received = page.getByRole('region', { name: 'Received' })
    await received.getByRole('button', { name: 'Take over' }).click()
    await page.getByRole('region', { name: 'In repair' }).getByText('The chain slips.').waitFor()
  })

  testAll('a device is collected by the form of an endpoint', async () => {
    const { page, load } = scene.browser
    const { records } = scene.service
    const ticket = await records.first(tickets, { where: { damage: 'The chain slips.' } })
    await records.update(tickets, ticket?.pk ?? '', { state: 'ready' })
    await load('/board')
    await page.getByRole('region', { name: 'Ready' }).getByRole('button', { name: 'Collect' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Collect', exact: true }).click()
    await dialog.getByText('Please check the marked fields.').waitFor()
    await dialog.getByRole('combobox', { name: /^Paid by/ }).click()
    await page.getByRole('option', { name: 'card' }).click()
    expect(await seriousFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Collect', exact: true }).click()
    await page.getByText(/^Invoice R\d{4}-/).waitFor()
    expect((await records.first(tickets, { where: { pk: ticket?.pk ?? '' } }))?.state).toBe('collected')
  })

  testAll('the area is called by its name in every language', async () => {
    const { page, load } = scene.browser
    await page.evaluate("localStorage.setItem('plinth.language', 'de')")
    await load('/board')
    await page.getByRole('heading', { level: 1, name: 'Reparaturen' }).waitFor()
    expect(
      await page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'Tafel' }).count(),
    ).toBe(1)
    await page.evaluate("localStorage.setItem('plinth.language', 'en')")
  })

  test('the page breaks no rule of its policy', () => {
    // Forms were sent that the service refused.
    expect(scene.browser.complaints.filter(text => !text.includes('status of 400'))).toEqual([])
    expect(scene.browser.foreign).toEqual([])
  })
})

describeAll('the library', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await open(() => startPlinth({ app: library, pages: true, now: '2030-05-01T12:00:00Z' }))
    const { service } = scene
    const [book] = (await service.anonymous.get('/api/rest/books', { Accept: 'application/json' })).body.content
    expect((await service.as('simple').post('/api/rest/loans', { book: book.pk })).status).toBe(201)
    const [loan] = await service.records.find(loans)
    await service.records.update(loans, loan?.pk ?? '', { overdue: true })
  })
  afterAll(() => close(scene))

  test('the page of overdue loans is for the staff', async () => {
    const { page, load } = scene.browser
    await signIn(scene, 'simple')
    await load('/overdue')
    await page.getByRole('heading', { level: 1, name: /access/ }).waitFor()
    expect(await page.getByRole('navigation').getByRole('link', { name: 'Overdue' }).count()).toBe(0)
  })

  test('it lists the loans, draws a chart, and takes a book back', async () => {
    const { page, load } = scene.browser
    await signIn(scene, 'staff')
    await load('/overdue')
    const table = page.getByRole('table', { name: 'Overdue loans' })
    await expect.poll(() => table.getByRole('row').count()).toBe(2)
    await page.locator('.recharts-bar').first().waitFor()
    // No page before this one has loaded the styles of the table.
    expect(
      await table.locator('caption').evaluate(one => one.ownerDocument.defaultView?.getComputedStyle(one).position),
    ).toBe('absolute')
    await table.getByRole('button', { name: 'Return' }).click()
    // The list follows the change by itself.
    await expect.poll(() => table.getByRole('row').count()).toBe(1)
  })
})

describe('languages of an application', () => {
  const withFrench = (client: Readonly<Record<string, Readonly<Record<string, string>>>>) =>
    defineApp({ name: 'Atelier', modules: [workshopModule], languages: { fr: { name: 'Français', client } } })

  testAll('translate the texts of the pages of modules', async () => {
    const friends = { title: 'Amis' }
    const areas = { account: 'Compte', board: 'Réparations', friends: 'Amis' }
    const app = withFrench({ workshopBoard: { title: 'Réparations', none: 'Rien' }, friends, areas })
    const scene = await open(() => startPlinth({ app, pages: true }))
    try {
      await signIn(scene, 'staff')
      const { page, load } = scene.browser
      await load('/board')
      await page.evaluate("localStorage.setItem('plinth.language', 'fr')")
      await load('/board')
      await page.getByRole('heading', { level: 1, name: 'Réparations' }).waitFor()
      await page.getByRole('region', { name: 'Ready' }).getByText('Rien').waitFor()
      const navigation = page.getByRole('navigation', { name: 'Main navigation' })
      expect(await navigation.getByRole('link').evaluateAll(links => links.map(link => link.textContent))).toEqual([
        ...['Start', 'Records', 'Reports', 'Amis', 'Réparations', 'Reception', 'Compte'],
      ])
      await page.getByRole('button', { name: /^Account menu/ }).click()
      await page.getByRole('menuitem', { name: 'Compte' }).waitFor()
    } finally {
      await close(scene)
    }
  })

  testAll('name the texts of pages that there are not', async () => {
    const wrong = withFrench({ areas: { acount: 'Compte' }, workshopBoard: { titel: 'Réparations' }, workshopBord: {} })
    await expect(startPlinth({ app: wrong, pages: true })).rejects.toThrow(
      /no text 'acount'; did you mean 'account'\?[\s\S]*no text 'titel'; did you mean 'title'\?[\s\S]*no dictionary 'workshopBord'; did you mean 'workshopBoard'\?/,
    )
  })
})

describe('mistakes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-pages-'))
  const write = (name: string, code: string): string => {
    const file = join(folder, name)
    writeFileSync(file, code)
    return file
  }
  const moduleWith = (name: string, web: string) => {
    const things = defineResource(`${name}Things`, {
      about: 'Things.',
      label: 'name',
      fields: { name: text({ required: true, max: 100 }) },
      access: { read: 'true', write: 'caller.signedIn' },
    })
    return defineModule({ name, about: 'A module with pages.', resources: [things], web })
  }
  const area = (path: string, page: string) =>
    `import { defineArea, defineWeb } from '@plinth/web'
export default defineWeb({ areas: [defineArea({ path: '${path}', title: '${path}', page: ${page} })] })`

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('a widget for a type is that of all its fields, except of those with a widget of their own', async () => {
    const measures = defineResource('measures', {
      about: 'Measures.',
      label: 'name',
      fields: { name: text(), width: integer(), height: integer(), weight: integer() },
      access: { read: 'true', write: 'caller.signedIn' },
    })
    const pages = `import { defineWeb, defineWidget } from '@plinth/web'
const widgets = [
  defineWidget({ type: 'number', Display: ({ value }) => <b>{value + ' mm'}</b>, text: value => value + ' mm' }),
  defineWidget({ resource: 'measures', field: 'weight', Display: ({ value }) => <b>{value + ' kg'}</b> }),
]
export default defineWeb({ widgets })`
    const module = defineModule({
      name: 'measuring',
      about: 'Measures.',
      resources: [measures],
      web: write('measures.tsx', pages),
    })
    const scene = await open(() => startPlinth({ modules: [module], pages: true }))
    try {
      const { pk } = await scene.service.records.create(measures, { name: 'Box', width: 300, height: 200, weight: 5 })
      const { page, load } = scene.browser
      await load(`/resources/measures/${pk}`)
      const main = page.getByRole('main')
      for (const value of ['300 mm', '200 mm', '5 kg']) await main.getByText(value, { exact: true }).waitFor()
      await load('/resources/measures')
      await main.getByText('300 mm', { exact: true }).waitFor()
    } finally {
      await close(scene)
    }
  })

  testAll('a module that fails takes no other with it, and a page that fails takes no other page', async () => {
    const modules = [
      moduleWith('absent', write('absent.tsx', "throw new Error('no pages today')")),
      moduleWith('broken', write('broken.tsx', area('broken', "() => { throw new Error('no page today') }"))),
      moduleWith('sound', write('sound.tsx', area('sound', '() => <h1>Safe and sound</h1>'))),
    ]
    const scene = await open(() => startPlinth({ modules, pages: true }))
    try {
      const { page, load } = scene.browser
      await load('/sound')
      await page.getByRole('heading', { level: 1, name: 'Safe and sound' }).waitFor()
      const alert = page.getByRole('alert')
      expect(await alert.textContent()).toContain('They could not be loaded: absent.')
      await page.getByRole('navigation').getByRole('link', { name: 'broken' }).click()
      await page.getByText('Something went wrong').waitFor()
      await page.getByRole('navigation').getByRole('link', { name: 'sound' }).click()
      await page.getByRole('heading', { level: 1, name: 'Safe and sound' }).waitFor()
    } finally {
      await close(scene)
    }
  })

  test.each([
    ['a missing file', () => join(folder, 'nowhere.tsx'), /module 'wrong': `web` names a missing file/],
    [
      'code of the server',
      () => write('server.tsx', "import { text } from 'plinth'\nexport default text({})"),
      /'plinth' runs on the server: a page of the web client can only import its types, with `import type`/,
    ],
    [
      'a name that the web client does not have',
      () => write('misspelt.tsx', "import { defineAria } from '@plinth/web'\nexport default defineAria({})"),
      /No matching export in "shared-module:@plinth\/web[?]first" for import "defineAria"/,
    ],
  ])('%s is refused when the pages are bundled', async (_, web, message) => {
    await expect(startPlinth({ modules: [moduleWith('wrong', web())], pages: true })).rejects.toThrow(message)
  })
})
