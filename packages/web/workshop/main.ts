// The address says what is shown: `?sheet=charts&look=dark&language=de`. The language must be known before the first component is loaded.

import { answerRequests } from './service.ts'

const parameters = new URLSearchParams(location.search)
localStorage.setItem('plinth.language', parameters.get('language') ?? 'en')
answerRequests()

const { showWorkshop } = await import('./workshop.tsx')
await showWorkshop({
  sheet: parameters.get('sheet'),
  state: Number(parameters.get('state') ?? 0),
  look: parameters.get('look') === 'dark' ? 'dark' : 'light',
})
