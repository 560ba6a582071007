// What the workshop adds to the web client: a board of the repairs, a form for new ones, a card on the start page, and the way of a repair at its state.

import { defineArea, defineCard, defineWeb, defineWidget } from '@plinth/web'
import { lazy } from 'react'

const board = defineArea({
  path: 'board',
  title: { en: 'Board', de: 'Tafel' },
  about: { en: 'All repairs by their state', de: 'Alle Reparaturen nach ihrem Stand' },
  access: 'caller.signedIn',
  page: lazy(() => import('./board-page.tsx')),
})

const reception = defineArea({
  path: 'reception',
  title: { en: 'Reception', de: 'Annahme' },
  about: { en: 'Take in the devices of customers', de: 'Geräte von Kunden annehmen' },
  access: 'caller.signedIn',
  page: lazy(() => import('./reception-page.tsx')),
})

const openTickets = defineCard({
  name: 'openTickets',
  title: { en: 'Open repairs', de: 'Offene Reparaturen' },
  to: '/board',
  access: 'caller.signedIn',
  content: lazy(() => import('./open-tickets.tsx')),
})

const stateWidget = defineWidget({
  resource: 'tickets',
  field: 'state',
  Display: lazy(() => import('./state-progress.tsx')),
})

export default defineWeb({ areas: [board, reception], cards: [openTickets], widgets: [stateWidget] })
