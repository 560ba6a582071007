// The frame of the application: what surrounds every page, and which page an address leads to.

import './first-styles.ts'
import './style.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ComponentType, lazy } from 'react'
import { BrowserRouter, Route, Routes } from 'react-router'
import { modulesQuery } from './api/modules.ts'
import { createQueryClient } from './api/query-client.ts'
import { type AnyArea, type OwnArea, ownAreas, useAllAreas } from './areas.ts'
import { ModuleArea } from './module-pages/module-area.tsx'
import { ConfirmSignInWhenNeeded } from './session/confirm-sign-in-when-needed.tsx'
import { SessionProvider } from './session/session.tsx'
import { AreaGuard } from './shell/area-guard.tsx'
import { ErrorBoundary } from './shell/error-boundary.tsx'
import { Blank, Unreachable } from './shell/first-moments.tsx'
import { NewsWhenNeeded } from './shell/news-when-needed.tsx'
import { NotFound } from './shell/not-found.tsx'
import { Shell } from './shell/shell.tsx'
import { cssVariables, theme } from './theme.ts'

/** Pages for signed-out users. */
const entryPages: Readonly<Record<string, ComponentType>> = {
  'sign-in': lazy(() => import('./entry/sign-in-page.tsx')),
  register: lazy(() => import('./entry/register-page.tsx')),
  confirm: lazy(() => import('./entry/confirm-page.tsx')),
  'forgot-password': lazy(() => import('./entry/forgot-password-page.tsx')),
  'reset-password': lazy(() => import('./entry/reset-password-page.tsx')),
  'first-administrator': lazy(() => import('./entry/first-administrator-page.tsx')),
}

const ownPages = new Map(
  ownAreas.map(area => {
    const load = async () => (await Promise.all([area.page(), area.isPlain ? null : import('./all-styles.ts')]))[0]
    return [area, { load, Page: lazy(load) }]
  }),
)

// The page of this address loads while the service is asked who is signed in. A failure shows when the page is rendered.
const [, , firstSegment = ''] = location.pathname.split('/')
for (const [area, { load }] of ownPages) if (area.path === firstSegment) load().catch(() => {})

const OwnPage = ({ area }: { readonly area: OwnArea }) => {
  const Page = ownPages.get(area)?.Page
  return Page && <Page />
}

const AreaPage = ({ area }: { readonly area: AnyArea }) =>
  'declared' in area ? <ModuleArea area={area.declared} /> : <OwnPage area={area} />

const queryClient = createQueryClient()
// With the session, so that the navigation is whole when it is first drawn.
void queryClient.prefetchQuery(modulesQuery)

const Pages = () => (
  <Routes>
    <Route element={<Shell />}>
      {Object.entries(entryPages).map(([path, Page]) => (
        <Route key={path} path={path} element={<Page />} />
      ))}
      {useAllAreas().map(area => (
        <Route
          key={area.path}
          path={area.path === '' ? '' : `${area.path}/*`}
          element={
            <AreaGuard area={area}>
              <AreaPage area={area} />
            </AreaGuard>
          }
        />
      ))}
      <Route path="*" element={<NotFound />} />
    </Route>
  </Routes>
)

export const App = () => (
  <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
    <NewsWhenNeeded />
    <ErrorBoundary>
      <QueryClientProvider client={queryClient}>
        <SessionProvider pending={<Blank />} failed={(error, retry) => <Unreachable error={error} onRetry={retry} />}>
          <BrowserRouter basename="/client">
            <Pages />
            <ConfirmSignInWhenNeeded />
          </BrowserRouter>
        </SessionProvider>
      </QueryClientProvider>
    </ErrorBoundary>
  </MantineProvider>
)
