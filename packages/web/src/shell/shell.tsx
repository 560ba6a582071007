// Header, navigation and the page itself.

import { Alert, AppShell, Box, Burger, Button, Group, Text } from '@mantine/core'
import { useDisclosure, useNetwork } from '@mantine/hooks'
import { IconWifiOff } from '@tabler/icons-react'
import { lazy, type RefObject, Suspense, useEffect, useRef } from 'react'
import { Link, Outlet, useLocation } from 'react-router'
import { application } from '../application.ts'
import { Loading } from '../common/loading.tsx'
import { useWork } from '../common/work.ts'
import { useText } from '../i18n/dictionary.ts'
import icon from '../icon.svg'
import { useLiveConnection } from '../live/use-live.ts'
import { useModulePages } from '../module-pages/module-pages.ts'
import { useSession } from '../session/session.tsx'
import { shellTexts } from './dictionary.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { LiveIndicator } from './live-indicator.tsx'
import { Navigation } from './navigation.tsx'
import { useKeptScroll } from './use-kept-scroll.ts'

const HeaderMenus = lazy(() => import('./header-menus.tsx'))
const ModulePagesAlert = lazy(() => import('./module-pages-alert.tsx'))
const WorkUnderWay = lazy(() => import('./work-under-way.tsx'))

const WorkWhenNeeded = () =>
  useWork().size > 0 ? (
    <Suspense>
      <WorkUnderWay />
    </Suspense>
  ) : null

/** A new page begins at its top, also for those who hear it. */
const useFocusOnNavigation = (main: RefObject<HTMLElement | null>) => {
  const { pathname } = useLocation()
  const last = useRef(pathname)
  useEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    main.current?.focus({ preventScroll: true })
  }, [main, pathname])
}

export const Shell = () => {
  const { failed, buildError } = useModulePages()
  const t = useText(shellTexts)
  const { user } = useSession()
  const { pathname } = useLocation()
  const [opened, { toggle, close }] = useDisclosure(false)
  const main = useRef<HTMLElement>(null)
  useFocusOnNavigation(main)
  useKeptScroll(main)
  const { online } = useNetwork()
  useLiveConnection(user?.pk ?? null)
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 250, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <a className="skip" href="#main">
        {t('skip')}
      </a>
      <AppShell.Header className="no-print">
        <Group h="100%" px="md" gap="xs" wrap="nowrap">
          <Burger
            opened={opened}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label={t(opened ? 'closeNavigation' : 'openNavigation')}
            aria-expanded={opened}
          />
          <Link to="/" style={{ textDecoration: 'none', color: 'inherit', marginInlineEnd: 'auto' }}>
            <Group gap={8} wrap="nowrap">
              <img src={application.logo ?? icon} alt="" height={28} className="logo" />
              <Text fw={700} size="lg" lineClamp={1}>
                {application.name}
              </Text>
            </Group>
          </Link>
          <WorkWhenNeeded />
          {user && <LiveIndicator />}
          <Suspense fallback={<Box w={34} h={34} />}>
            <HeaderMenus />
          </Suspense>
          {!user && (
            <Button component={Link} to="/sign-in" size="xs">
              {t('signIn')}
            </Button>
          )}
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className="no-print" p="xs" component="nav" aria-label={t('navigation')}>
        <Navigation onNavigate={close} />
      </AppShell.Navbar>
      <AppShell.Main id="main" ref={main} tabIndex={-1}>
        {!online && (
          <Alert role="status" color="yellow" icon={<IconWifiOff aria-hidden />} mb="md">
            {t('offline')}
          </Alert>
        )}
        {(failed.length > 0 || buildError !== undefined) && (
          <Suspense>
            <ModulePagesAlert failed={failed} buildError={buildError} />
          </Suspense>
        )}
        <ErrorBoundary key={pathname.split('/')[1]}>
          <Suspense fallback={<Loading />}>
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </AppShell.Main>
    </AppShell>
  )
}
