import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { firstLanguage } from './i18n/language.ts'
import { firstModulePages } from './module-pages/module-pages.ts'
import { reportUncaught } from './shell/report.ts'

reportUncaught()

const root = document.getElementById('root')
if (root) {
  // The texts of an added language and the pages of modules have to be there first. As a transition, the first render leaves room for input in between.
  void Promise.all([firstLanguage, firstModulePages]).then(() =>
    startTransition(() =>
      createRoot(root).render(
        <StrictMode>
          <App />
        </StrictMode>,
      ),
    ),
  )
}
