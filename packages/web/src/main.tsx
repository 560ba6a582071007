import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { firstLanguage } from './i18n/language.ts'
import { reportUncaught } from './shell/report.ts'

reportUncaught()

const root = document.getElementById('root')
if (root) {
  // The texts of an added language have to be there first. As a transition, the first render leaves room for input in between.
  void firstLanguage.then(() =>
    startTransition(() =>
      createRoot(root).render(
        <StrictMode>
          <App />
        </StrictMode>,
      ),
    ),
  )
}
