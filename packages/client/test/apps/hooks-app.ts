// A page with the hooks, for a browser test. Its address says how sessions are kept and which books it shows.

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement as h, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createClient } from '../../src/index.ts'
import { createHooks } from '../../src/react.ts'
import type { LibrarySchema } from '../library-schema.ts'

const settings = new URLSearchParams(location.hash.slice(1))
const word = settings.get('word') ?? ''

const client = createClient<LibrarySchema>({ session: settings.get('session') === 'tokens' ? 'tokens' : 'cookies' })
const { useRecord, useRecords, useMutation, useSession } = createHooks(client)

const Books = () => {
  const { data, error } = useRecords('books', {
    where: { title: { like: `${word}*` } },
    sort: 'title',
    fields: ['title'],
  })
  const first = useRecord('books', data?.items[0]?.pk ?? null, { include: ['shelf'], follow: ['shelves'] })
  const add = useMutation((title: string) => client.books.create({ title }), { changes: ['books'] })
  return h(
    'section',
    null,
    h('p', { id: 'titles' }, data ? data.items.map(({ title }) => title).join(', ') : (error?.message ?? 'reading')),
    h('p', { id: 'first' }, first.data ? `${first.data.title} at ${first.data.shelf?.path ?? 'no shelf'}` : 'none'),
    h('button', { type: 'button', id: 'add', onClick: () => add.mutate(`${word} added`) }, 'Add'),
    h('p', { id: 'added' }, add.data?.title ?? ''),
  )
}

const App = () => {
  const { user, signIn, signOut } = useSession()
  return h(
    'main',
    null,
    h('p', { id: 'user' }, user === undefined ? 'loading' : (user?.username ?? 'signed out')),
    h(
      'button',
      { type: 'button', id: 'in', onClick: () => void signIn({ username: 'staff', password: 'staff' }) },
      'Sign in',
    ),
    h('button', { type: 'button', id: 'out', onClick: () => void signOut() }, 'Sign out'),
    user ? h(Books) : null,
  )
}

const root = document.body.appendChild(document.createElement('div'))
createRoot(root).render(h(StrictMode, null, h(QueryClientProvider, { client: new QueryClient() }, h(App))))

Object.assign(globalThis, { client })
