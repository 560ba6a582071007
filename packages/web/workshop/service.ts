// What a service would answer. The resource `slow` is never described, and `broken` cannot be.

import type { SessionUser } from '@plinth/client'

type Data = Readonly<Record<string, unknown>>

const field = (widget: string, label: string, more: Data = {}): Data => ({
  ...{ widget, label, required: false, nullable: true, readOnly: false, writeOnly: false },
  ...{ searchable: true, sortable: true },
  ...more,
})

const fields = {
  title: field('text', 'Title', { required: true, maxLength: 100 }),
  state: field('select', 'State', { options: ['new', 'used'], optionLabels: { new: 'New', used: 'Used' } }),
  pages: field('number', 'Pages', { min: 1, help: 'Without the cover.' }),
  bought: field('date', 'Bought'),
  notes: field('textarea', 'Notes', { maxLength: 4000 }),
}

const uses = Object.keys(fields).map(name => ({ field: name, required: name === 'title' }))

const uischema = {
  ...{ pathFragment: 'books', title: 'Books', about: 'Books of the library.', label: 'title', quickSearch: ['title'] },
  ...{ createForm: true, defaultSort: 'title', fields },
  rights: { create: true, replace: true, patch: true, delete: true, restore: true, trash: true, history: false },
  useCases: { list: uses, search: uses, view: uses, create: uses, update: uses, relations: [] },
}

const titles = ['Emma', 'Middlemarch', 'Persuasion', 'Villette', 'The Mill on the Floss', 'Shirley']

const books = titles.map((title, at) => ({
  pk: `book-${at}`,
  title,
  state: at % 3 ? 'used' : 'new',
  pages: 320 + at * 37,
}))

const pageOf = (content: readonly Data[]): Data => ({
  content,
  page: { size: 100, number: 0, totalElements: content.length, totalPages: 1 },
  links: [],
})

export const user: SessionUser = {
  ...{ pk: 'ada', username: 'ada', name: 'Ada Lovelace', firstName: 'Ada', lastName: 'Lovelace', avatarUrl: null },
  ...{ emailHash: null, locale: null, lastPassWordChangeDate: null, roles: [{ authority: 'ROLE_STAFF' }] },
}

const renew = {
  ...{ id: 'renewBook', place: 'record', method: 'POST', path: '/api/rest/books/{pk}/renew', title: 'Renew' },
  ...{ isDestructive: false, isBulk: true, isConditional: false },
  fields: { days: field('number', 'Days', { required: true, min: 1, max: 28, default: 14 }) },
}

const withdraw = {
  ...{ id: 'withdrawBook', place: 'record', method: 'POST', path: '/api/rest/books/{pk}/withdraw', title: 'Withdraw' },
  ...{ about: 'It cannot be borrowed any more.', isDestructive: true, isBulk: true, isConditional: false, fields: {} },
}

const answers: Readonly<Record<string, unknown>> = {
  '/api/auth/userDetails': user,
  '/api/modules': [],
  '/api/rest': [{ name: 'books', title: 'Books', about: '', module: 'library', moduleTitle: 'Library', create: true }],
  '/api/rest/books/uischema': uischema,
  '/api/rest/books/jsonschema': { title: 'Book', properties: {} },
  '/api/rest/books': pageOf(books),
  '/api/rest/empty': pageOf([]),
  '/api/actions/books': { actions: [renew, withdraw] },
  '/api/forms?endpoint=POST+%2Fapi%2Frest%2Fbooks%2F%7Bpk%7D%2Frenew': renew,
}

const broken = { code: 'unavailable', title: 'Service unavailable', detail: 'The service is being restarted.' }

const missing = { code: 'not_found', title: 'Not found', detail: 'There is no such endpoint.' }

const respond = (status: number, body: unknown): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': status < 400 ? 'application/json' : 'application/problem+json' },
  })

/** Takes the place of the network. */
export const answerRequests = (): void => {
  localStorage.removeItem('plinth.session')
  window.fetch = async input => {
    const { pathname, search } = new URL(String(input instanceof Request ? input.url : input), location.origin)
    if (pathname.includes('/slow')) return new Promise(() => {})
    const answer = answers[pathname + search] ?? answers[pathname]
    if (answer === undefined && pathname === '/api/forms') return respond(404, missing)
    return answer === undefined ? respond(400, broken) : respond(200, answer)
  }
}
