// Problems and faults in the language of the caller: those of the platform, of a module, and in a language that an application adds.

import { featureDatabases } from '@plinth/test-kit/databases'
import * as platform from '@plinth/test-kit/platform'
import {
  decimal,
  defineApp,
  defineEndpoint,
  defineFaults,
  defineModule,
  defineProblems,
  defineResource,
  fault,
  text,
} from 'plinth'
import { startPlinth, type TestService } from 'plinth/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { modulesFor } from '../../src/app/define-app.ts'
import { loadConfig } from '../../src/config.ts'
import { problemsOf } from '../../src/core/module.ts'
import { placeholdersIn } from '../../src/core/text.ts'

const cellarProblem = defineProblems({
  empty: {
    status: 409,
    title: { en: 'Empty barrel', de: 'Leeres Fass' },
    meaning: 'The barrel has nothing left.',
    detail: { en: 'There is nothing left.', de: 'Es ist nichts mehr da.' },
  },
})

const cellarFault = defineFaults({
  vintage: { en: 'must name the year after {first}', de: 'Nennen Sie das Jahr nach dem {first}.' },
})

const barrels = defineResource('barrels', {
  about: 'Barrels.',
  label: 'name',
  fields: {
    name: text({ required: true, max: 20, unique: true }),
    litres: decimal({ max: 225.5, scale: 1 }),
    vintage: text({ pattern: { is: /^\d{4}$/, says: cellarFault('vintage', { first: '1999-12-31' }) } }),
    mark: text({
      pattern: { is: /^[A-Z]$/, says: { en: 'must be one letter', de: 'Geben Sie einen Buchstaben ein.' } },
    }),
  },
  checks: {
    filled: {
      rule: "record.mark != 'F' || record.litres != null",
      message: { en: 'A full barrel has litres.', de: 'Ein volles Fass hat Liter.' },
    },
  },
  access: { read: 'true', write: 'caller.signedIn' },
})

const says: Readonly<Record<string, () => Error>> = {
  general: () => cellarProblem('empty'),
  special: () => cellarProblem('empty', { en: 'The barrel in row 3 is empty.', de: 'Das Fass in Reihe 3 ist leer.' }),
  english: () => cellarProblem('empty', 'The tap is broken.'),
}

const tap = defineEndpoint({
  method: 'POST',
  path: '/api/rest/barrels/tap/{way}',
  id: 'tap',
  summary: 'Tap',
  access: 'true',
  params: { way: 'How.' },
  run: ({ params }) => {
    throw says[params.way]?.() ?? new Error('fell over')
  },
})

const cellar = defineModule({
  name: 'cellar',
  about: 'A cellar.',
  resources: [barrels],
  endpoints: [tap],
  problems: cellarProblem.table,
  faults: cellarFault.table,
})

const fr = {
  name: 'Français',
  faults: { required: 'Ce champ est obligatoire.', vintage: 'Indiquez l’année après le {first}.' },
  problems: { empty: { title: 'Tonneau vide', detail: 'Il ne reste rien.' }, invalid: 'Champs non valides' },
}

const json = { Accept: 'application/json, application/problem+json' }

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  beforeAll(async () => {
    service = await startPlinth({
      app: defineApp({ name: 'Cellar', modules: [cellar], languages: { fr } }),
      database: database === 'postgres' ? inject('postgresUrl') : undefined,
    })
  })
  afterAll(() => service?.stop())

  const create = (body: object, language?: string, headers: Record<string, string> = json) =>
    service
      .as('staff')
      .post('/api/rest/barrels', body, { ...headers, ...(language && { 'Accept-Language': language }) })
  const messages = async (body: object, language?: string) =>
    (await create(body, language)).body.errors.map(({ message }: { message: string }) => message)

  test('a caller without a language and one who prefers English get the same answer', async () => {
    const [plain, english] = [await create({}), await create({}, 'en-GB, de;q=0.5')]
    expect(plain.body).toEqual(english.body)
    expect(plain.body).toMatchObject({
      title: 'Invalid fields',
      code: 'invalid',
      errors: [{ code: 'required', message: 'is required', pointer: '/name' }],
    })
    expect(plain.headers.get('content-language')).toBe('en')
  })

  test('faults of values are in German, with the same codes and parameters', async () => {
    const body = { name: 'A name that is longer than that', litres: 1000 }
    const [english, german] = [await create(body), await create(body, 'de-AT')]
    const withoutMessages = ({ errors }: { errors: { message: string }[] }) =>
      errors.map(({ message: _, ...rest }) => rest)
    expect(withoutMessages(german.body)).toEqual(withoutMessages(english.body))
    expect(german.body).toMatchObject({
      title: 'Ungültige Felder',
      detail: 'name: Geben Sie höchstens 20 Zeichen ein. (1 weitere in errors)',
      errors: [{ message: 'Geben Sie höchstens 20 Zeichen ein.' }, { message: 'Geben Sie höchstens 225,5 ein.' }],
    })
  })

  test('errors are not cached, and their headers name the language', async () => {
    const { headers } = await create({}, 'de')
    expect([headers.get('content-language'), headers.get('cache-control')]).toEqual(['de', 'no-store'])
    expect(headers.get('vary')).toContain('Accept-Language')
  })

  test.each([
    ['application/hal+json', 'Dieses Feld ist erforderlich.'],
    ['application/vnd.api+json', 'Dieses Feld ist erforderlich.'],
    ['application/xml', 'Dieses Feld ist erforderlich.'],
    ['application/json', 'Dieses Feld ist erforderlich.'],
  ])('%s has the message of the language', async (type, message) => {
    const bodies = { 'Content-Type': 'application/json', Accept: type }
    expect((await create({}, 'de', bodies)).text).toContain(message)
    expect((await create({}, undefined, bodies)).text).not.toContain(message)
  })

  test('faults of a module, messages of a pattern and of a check have their own texts, and dates are written by the language', async () => {
    const body = { name: 'A', vintage: 'x', mark: 'xx' }
    expect(await messages(body)).toEqual(['must name the year after 1999-12-31', 'must be one letter'])
    expect(await messages(body, 'de')).toEqual([
      'Nennen Sie das Jahr nach dem 31.12.1999.',
      'Geben Sie einen Buchstaben ein.',
    ])
    expect(await messages({ name: 'A', mark: 'F' }, 'de')).toEqual(['Ein volles Fass hat Liter.'])
    expect(await messages({ name: 'A', mark: 'F' })).toEqual(['A full barrel has litres.'])
  })

  test('a language of the application translates what it can; the rest is in English', async () => {
    const { body, headers } = await create({ litres: 1000 }, 'fr-CA, de;q=0.4')
    expect(body).toMatchObject({
      title: 'Champs non valides',
      errors: [{ message: 'must be at most 225.5' }, { message: 'Ce champ est obligatoire.' }],
    })
    expect(headers.get('content-language')).toBe('fr')
    expect(await messages({ name: 'A', vintage: 'x' }, 'fr')).toEqual(['Indiquez l’année après le 31 déc. 1999.'])
  })

  test('what is known in the language of the caller comes before a detail in English', async () => {
    const said = async (way: string, language: string) => {
      const { body } = await service.anonymous.post(`/api/rest/barrels/tap/${way}`, undefined, {
        ...json,
        'Accept-Language': language,
      })
      return [body.title, body.detail]
    }
    expect(await said('general', 'en')).toEqual(['Empty barrel', 'There is nothing left.'])
    expect(await said('general', 'de')).toEqual(['Leeres Fass', 'Es ist nichts mehr da.'])
    expect(await said('special', 'de')).toEqual(['Leeres Fass', 'Das Fass in Reihe 3 ist leer.'])
    expect(await said('english', 'en')).toEqual(['Empty barrel', 'The tap is broken.'])
    expect(await said('english', 'de')).toEqual(['Leeres Fass', 'Es ist nichts mehr da.'])
    expect(await said('special', 'fr')).toEqual(['Tonneau vide', 'Il ne reste rien.'])
    expect(await said('unknown', 'de')).toEqual([
      'Interner Fehler',
      'Bei uns ist etwas schiefgelaufen. Der Fehler wurde aufgezeichnet.',
    ])
  })

  test('a value that the database refuses, a parameter and a part of a list are in German', async () => {
    await create({ name: 'Taken' })
    expect((await create({ name: 'Taken' }, 'de')).body).toMatchObject({
      code: 'taken',
      errors: [{ message: 'Dieser Wert ist bereits vergeben.' }],
    })
    const headers = { ...json, 'Accept-Language': 'de' }
    const query = await service.anonymous.get('/api/rest/barrels?litres=much&nope=1', headers)
    expect(query.body.errors.map(({ message }: { message: string }) => message)).toEqual([
      expect.stringMatching(/^Ungültiger Wert „much“\. Geben Sie eine Zahl/),
      expect.stringMatching(/^barrels hat „nope“ nicht\. Verfügbar: pk, name/),
    ])
    const list = await service.as('staff').post('/api/rest/barrels', [{ name: 'New' }, {}], headers)
    expect(list.body.errors).toMatchObject([{ pointer: '/1/name', message: 'Dieses Feld ist erforderlich.' }])
  })

  test('refused rows of an import are in German', async () => {
    const { body } = await service.as('admin').post('/api/import/barrels?dryRun=true', 'name,litres\n,5\n', {
      ...json,
      'Content-Type': 'text/csv',
      'Accept-Language': 'de',
    })
    expect(body).toMatchObject({
      refused: 1,
      reasons: [{ code: 'required', message: 'Dieses Feld ist erforderlich.' }],
      rows: [{ errors: [{ message: 'Dieses Feld ist erforderlich.' }] }],
    })
  })
})

test('unknown codes and parameters of a language stop the start', () => {
  const wrong = {
    name: 'F',
    faults: { requird: 'x', max: 'au plus {maxx}' },
    problems: { not_fund: 'x' },
  }
  const app = defineApp({ name: 'Cellar', modules: [cellar], languages: { fr: wrong } })
  expect(() => modulesFor(app, loadConfig(app, { env: {}, cwd: '/' }))).toThrow(
    /problems: there is no 'not_fund'; did you mean 'not_found'\?[\s\S]*there is no 'requird'; did you mean 'required'\?[\s\S]*max: the message has no parameter \{maxx\}; did you mean 'max'\?/,
  )
})

const modules = platform.modulesFor(platform.loadConfig({ env: { APP_MODULES: 'rental,membership' }, cwd: '/' }))
const faultTables = [fault.table, ...modules.flatMap(({ faults }) => (faults ? [faults] : []))]
const faults = faultTables.flatMap(table => Object.entries(table))

test('every fault and problem of the platform and of the standard modules has a German text with the same parameters', () => {
  const untranslated = faults.filter(([, text]) => typeof text === 'string' && text !== '{message}')
  expect(untranslated).toEqual([])
  for (const [code, text] of faults)
    if (typeof text === 'object') {
      const known = [...placeholdersIn(text.en), 'message']
      expect([code, placeholdersIn(text.de ?? '').filter(name => !known.includes(name))]).toEqual([code, []])
    }
  const titles = Object.entries(problemsOf(modules)).filter(([, { title }]) => typeof title === 'string')
  expect(titles).toEqual([])
})

test('a code of a fault means the same in every module', () => {
  const first = new Map(faults.toReversed())
  expect(faults.filter(([code, text]) => JSON.stringify(first.get(code)) !== JSON.stringify(text))).toEqual([])
})

test('a translation that names a parameter of its own does not compile', () => {
  defineFaults({
    // @ts-expect-error: The English message has no {mni}.
    short: { en: 'must have {min}', de: 'Mindestens {mni}' },
  })
  const short = defineFaults({ short: { en: 'must have {min}', de: 'Mindestens {min}' } })
  // @ts-expect-error: the parameter is missing
  short('short')
  expect(short('short', { min: 3 })).toEqual({ code: 'short', message: 'must have 3', params: { min: 3 } })
})
