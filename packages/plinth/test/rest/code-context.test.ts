// What code of modules finds in its context, wherever it runs: settings of its groups, and a logger of its own.

import {
  defineEndpoint,
  defineJob,
  defineMail,
  defineMigration,
  defineModule,
  defineResource,
  defineSettings,
  extendResource,
  integer,
  queueMail,
  text,
} from 'plinth'
import { startPlinth, type TestService } from 'plinth/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

const librarySettings = defineSettings('app.library', { loanDays: integer({ default: 21 }) })
const strangeSettings = defineSettings('app.strange', { days: integer({ default: 1 }) })

const notes = defineResource('notes', {
  about: 'What code has read.',
  label: 'text',
  fields: { text: text({ required: true }) },
  access: { read: 'true' },
})

const visits = defineResource('visits', {
  about: 'Who comes when.',
  fields: { days: integer({ serverOwned: true }), remark: text() },
  access: { read: 'true', write: 'true' },
  hooks: {
    beforeCreate: ({ values, settings, log }) => {
      log.debug('a visit')
      values.days = settings(librarySettings).loanDays
    },
  },
})

const loanDue = defineMail<{ title: string }>('loanDue', {
  texts: {
    en: ({ title }, _pages, { settings }) => ({
      subject: `Due: ${title}`,
      greeting: 'Hello,',
      paragraphs: [`books are lent for ${settings(librarySettings).loanDays} days.`],
      note: 'The library',
    }),
  },
})

/** The second of two modules that add hooks. */
const sign = (name: string) =>
  defineModule({
    name,
    about: 'Remarks on visits.',
    resources: [],
    extensions: [
      extendResource(visits, {
        hooks: {
          beforeCreate: ({ values, log }) => {
            log.debug('a remark')
            values.remark = `${values.remark ?? ''}${values.days} ${name}; `
          },
        },
      }),
    ],
  })

const library = defineModule({
  name: 'library',
  about: 'Books.',
  settings: [librarySettings],
  mails: [loanDue],
  resources: [notes, visits],
  endpoints: [
    defineEndpoint({
      method: 'POST',
      path: '/api/rest/remind',
      id: 'remind',
      summary: 'Remind borrowers',
      access: 'true',
      answers: { 200: notes },
      run: ({ records, settings, log }) => {
        const { loanDays } = settings(librarySettings)
        log.debug({ loanDays }, 'reminding')
        return records.asService.create(notes, { text: `endpoint ${loanDays}` })
      },
    }),
    defineEndpoint({
      method: 'POST',
      path: '/api/rest/wonder',
      summary: 'Wonder',
      answers: { 204: 'Done.' },
      access: 'true',
      run: ({ settings, log }) => log.debug(settings(strangeSettings)),
    }),
  ],
  jobs: [
    defineJob({
      name: 'remind-borrowers',
      everyMs: 3600_000,
      run: async ({ records, settings, log }) => {
        log.debug('reminding')
        await records.create(notes, { text: `job ${settings(librarySettings).loanDays}` })
      },
    }),
  ],
  sweeps: [
    {
      name: 'sweeping',
      run: async ({ platform }, { settings, log }) => {
        log.debug('sweeping')
        await platform.records.create(notes, { text: `sweep ${settings(librarySettings).loanDays}` })
      },
    },
  ],
  seeds: [
    {
      name: 'library.notes',
      run: async ({ records, settings, log, now }) => {
        log.debug({ now }, 'sowing')
        await records.create(notes, { text: `seed ${settings(librarySettings).loanDays}` })
      },
    },
  ],
  migrations: [
    defineMigration({
      name: 'note-settings',
      run: async ({ records, settings, now }) => {
        const at = now.getTime() === records.now.getTime()
        await records.create(notes, { text: `migration ${settings(librarySettings).loanDays} ${at}` })
      },
    }),
  ],
})

let service: TestService
beforeAll(async () => {
  service = await startPlinth({
    modules: [library, sign('first'), sign('second')],
    settings: { 'app.library.loanDays': '7' },
  })
})
afterAll(() => service.stop())

const stored = async (): Promise<readonly string[]> => (await service.records.find(notes)).map(one => one.text).sort()

test('endpoints, jobs, sweeps, seeds and migrations read settings where they use them', async () => {
  expect((await service.anonymous.post('/api/rest/remind', {})).body.text).toBe('endpoint 7')
  await service.idle()
  expect(await stored()).toEqual(['endpoint 7', 'job 7', 'migration 7 true', 'seed 7', 'sweep 7'])
})

test('texts of mails read settings', async () => {
  await service.records.transaction(records =>
    queueMail(records, loanDue, { recipient: 'ada@example.org', locale: 'en', content: { title: 'Emma' } }),
  )
  await service.idle()
  expect((await service.mails()).map(mail => mail.text).join('')).toContain('books are lent for 7 days.')
})

test('hooks read settings, and those of extensions run in the order of their modules', async () => {
  const made = await service.anonymous.post('/api/rest/visits', {})
  expect(made.body).toMatchObject({ days: 7, remark: '7 first; 7 second; ' })
})

test('loggers are named by the module and by what runs, and made when they are first used', async () => {
  await service.anonymous.post('/api/rest/remind', {})
  await service.idle()
  const { body } = await service.as('admin').get('/api/management/loggers')
  const own = Object.keys(body.loggers).filter(name => /^(library|first|second)/.test(name))
  expect(own.sort()).toEqual([
    'first.visits',
    'library',
    'library.remind',
    'library.remind-borrowers',
    'library.sweep-library',
    'library.visits',
    'second.visits',
  ])
})

test('settings that no module lists are a failure that names the group', async () => {
  expect((await service.anonymous.post('/api/rest/wonder', {})).status).toBe(500)
  const errors = async () =>
    (await service.as('admin').get('/api/rest/systemErrors', { Accept: 'application/json' })).text
  await expect.poll(errors).toContain("No module declares the settings app.strange: add them to its 'settings'.")
})
