// The application of `standstills.ts`: tables of many shapes, which `fill.ts` fills. Large ones with skewed references, some below
// ten thousand records, long texts, wide records, and small tables that wide records refer to.

import {
  boolean,
  choice,
  counted,
  defineApp,
  defineModule,
  defineResource,
  integer,
  links,
  longText,
  many,
  ref,
  text,
  textList,
  timestamp,
} from 'plinth'
import { fillTables } from './fill.ts'
import { createStandstillMeter } from './meter.ts'

const access = { read: 'caller.signedIn', write: "caller.has('ROLE_ADMIN')" } as const

const offices = defineResource('offices', {
  about: 'Few records that many refer to.',
  label: 'name',
  fields: {
    name: text({ required: true, max: 100 }),
    people: many('persons', { by: 'office' }),
    headcount: counted('people'),
  },
  access,
})

const persons = defineResource('persons', {
  about: 'Records between few and many.',
  label: 'name',
  search: ['name'],
  fields: {
    name: text({ required: true, max: 100 }),
    office: ref('offices'),
    active: boolean(),
    tickets: many('tickets', { by: 'assignee' }),
    ticketCount: counted('tickets'),
  },
  access,
})

const tickets = defineResource('tickets', {
  about: 'A large table whose references and states are skewed.',
  label: 'title',
  history: true,
  trash: true,
  fields: {
    title: text({ required: true, max: 200 }),
    status: choice(['open', 'closed', 'waiting'], { indexed: true }),
    assignee: ref('persons'),
    parent: ref('tickets'),
    children: many('tickets', { by: 'parent' }),
    childCount: counted('children'),
    path: text({ max: 400 }),
    priority: integer(),
    due: timestamp({ indexed: true }),
    tags: textList(),
    watchers: links('persons'),
  },
  access,
})

const notices = defineResource('notices', {
  about: 'A table of fewer than ten thousand records.',
  label: 'title',
  search: ['title', 'path'],
  fields: {
    title: text({ required: true, max: 200 }),
    category: text({ max: 40, indexed: true }),
    path: text({ max: 1000 }),
    author: ref('persons'),
    tags: textList(),
  },
  access,
})

const documents = defineResource('documents', {
  about: 'Long texts.',
  label: 'title',
  history: true,
  search: ['title', 'summary', 'body'],
  fields: {
    title: text({ required: true, max: 500, indexed: 'anywhere' }),
    category: text({ max: 40, indexed: true }),
    summary: longText(),
    body: longText({ max: 100_000 }),
    author: ref('persons'),
  },
  access,
})

const smallTables = 12
const wideFields = 40

const codes = Array.from({ length: smallTables }, (_, at) =>
  defineResource(`codes${at}`, {
    about: 'A small table.',
    label: 'name',
    fields: {
      name: text({ required: true, max: 100 }),
      group: text({ max: 20, indexed: true }),
      ...(at > 0 && { next: ref(`codes${at - 1}`) }),
      forms: many('forms', { by: `code${at}` }),
    },
    access,
  }),
)

const forms = defineResource('forms', {
  about: 'Wide records.',
  label: 'title',
  fields: {
    title: text({ required: true, max: 200 }),
    ...Object.fromEntries(Array.from({ length: smallTables }, (_, at) => [`code${at}`, ref(`codes${at}`)])),
    ...Object.fromEntries(Array.from({ length: wideFields }, (_, at) => [`field${at}`, text({ max: 500 })])),
  },
  access,
})

export default defineApp({
  name: 'Standstills',
  modules: [
    defineModule({
      name: 'standstills',
      about: 'Tables of many shapes.',
      resources: [offices, persons, tickets, notices, documents, ...codes, forms],
      create: ({ platform }) => {
        const meter = createStandstillMeter()
        return { endpoints: [fillTables(platform), meter.endpoint], start: meter.start }
      },
    }),
  ],
})
