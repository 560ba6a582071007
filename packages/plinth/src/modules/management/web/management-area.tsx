import { hasRole, Loading, NotFound, PageHeader, SubNavigation, useIsOn, useTexts, useUser } from '@plinth/web'
import { type ComponentType, lazy, Suspense } from 'react'
import { Navigate, Route, Routes } from 'react-router'
import { managementTexts } from './dictionary.ts'
import { useAttention } from './examination.ts'

interface ManagementPage {
  readonly path:
    | 'health'
    | 'metrics'
    | 'jobs'
    | 'loggers'
    | 'audit'
    | 'traces'
    | 'environment'
    | 'errors'
    | 'mails'
    | 'sessions'
    | 'backups'
    | 'doctor'
  /** The module of the service without which the page does not exist. */
  readonly module?: string
  /** Site operators see errors and connections; all else is for administrators. */
  readonly isOpen: boolean
  readonly page: ComponentType
}

const pages: readonly ManagementPage[] = [
  { path: 'health', isOpen: false, page: lazy(() => import('./health-page.tsx')) },
  { path: 'metrics', isOpen: false, page: lazy(() => import('./metrics-page.tsx')) },
  { path: 'jobs', isOpen: false, page: lazy(() => import('./jobs-page.tsx')) },
  { path: 'loggers', isOpen: false, page: lazy(() => import('./loggers-page.tsx')) },
  { path: 'audit', isOpen: false, page: lazy(() => import('./audit-page.tsx')) },
  { path: 'traces', isOpen: false, page: lazy(() => import('./traces-page.tsx')) },
  { path: 'environment', isOpen: false, page: lazy(() => import('./environment-page.tsx')) },
  { path: 'errors', isOpen: true, page: lazy(() => import('./errors-area.tsx')) },
  { path: 'mails', isOpen: false, page: lazy(() => import('./mails-page.tsx')) },
  { path: 'sessions', isOpen: true, page: lazy(() => import('./sessions-page.tsx')) },
  { path: 'backups', module: 'backup', isOpen: false, page: lazy(() => import('./backups-page.tsx')) },
  { path: 'doctor', module: 'doctor', isOpen: false, page: lazy(() => import('./doctor-page.tsx')) },
]

const ManagementArea = () => {
  const t = useTexts(managementTexts)
  const isAdmin = hasRole(useUser())
  const isOn = useIsOn()
  const { errors, warnings } = useAttention()
  const found = errors + warnings
  const labelOf = (path: ManagementPage['path']) =>
    path === 'doctor' && found > 0 ? t('doctorFound', { count: found }) : t(path)
  const visible = pages.filter(({ isOpen, module }) => (isAdmin || isOpen) && isOn(module) === true)
  return (
    <>
      <PageHeader title={t('title')} />
      <SubNavigation
        label={t('pages')}
        pages={visible.map(({ path }) => ({ to: `/management/${path}`, label: labelOf(path) }))}
      />
      <Suspense fallback={<Loading />}>
        <Routes>
          <Route index element={<Navigate replace to={visible[0]?.path ?? ''} />} />
          {visible.map(({ path, page: Page }) => (
            <Route key={path} path={`${path}/*`} element={<Page />} />
          ))}
          <Route path="*" element={<NotFound />} />
        </Routes>
      </Suspense>
    </>
  )
}

export default ManagementArea
