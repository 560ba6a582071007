import { lazy, Suspense, useSyncExternalStore } from 'react'
import { hasNews, watchNews } from '../common/notify.ts'

const News = lazy(() => import('./news.tsx'))

/** The place for short news, from the first of them on. */
export const NewsWhenNeeded = () =>
  useSyncExternalStore(watchNews, hasNews) ? (
    <Suspense>
      <News />
    </Suspense>
  ) : null
