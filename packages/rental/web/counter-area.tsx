// The counter: what clerks do all day, and what they look up.

import { Button } from '@mantine/core'
import { Empty, Loading, NotFound, PageHeader, readAgain, useChanges, useDirectory, useTexts } from '@plinth/web'
import {
  IconAlarm,
  IconBuildingStore,
  IconCashRegister,
  IconChartBar,
  IconInbox,
  IconReceipt,
} from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type ComponentType, lazy, Suspense, useRef } from 'react'
import { Link, Route, Routes, useLocation } from 'react-router'
import classes from './counter.module.css'
import DeskPage from './desk-page.tsx'
import { counterTexts } from './dictionary.ts'
import { useScanGuard } from './scan-keys.ts'

const DropBoxPage = lazy(() => import('./drop-box-page.tsx'))
const PaymentsPage = lazy(() => import('./payments-page.tsx'))
const ReceiptPage = lazy(() => import('./receipt-page.tsx'))
const OverduePage = lazy(() => import('./overdue-page.tsx'))
const TakingsPage = lazy(() => import('./takings-page.tsx'))

const views = [
  { path: '', says: 'desk', icon: IconCashRegister, page: DeskPage },
  { path: 'drop-box', says: 'dropBox', icon: IconInbox, page: DropBoxPage },
  { path: 'payments', says: 'payments', icon: IconReceipt, page: PaymentsPage },
  { path: 'overdue', says: 'overdue', icon: IconAlarm, page: OverduePage },
  { path: 'takings', says: 'takings', icon: IconChartBar, page: TakingsPage },
] as const

const Views = () => {
  const t = useTexts(counterTexts)
  const { pathname } = useLocation()
  // Receipts are found among the payments.
  const at = pathname.split('/')[2]?.replace('receipts', 'payments') ?? ''
  return (
    <nav className={classes.views} aria-label={t('views')}>
      {views.map(({ path, says, icon: Icon }) => (
        <Button
          key={path}
          component={Link}
          to={`/counter${path && `/${path}`}`}
          size="sm"
          variant={at === path ? 'filled' : 'default'}
          aria-current={at === path ? 'page' : undefined}
          leftSection={<Icon size={16} aria-hidden />}
        >
          {t(says)}
        </Button>
      ))}
    </nav>
  )
}

const quiet = 2000

/** What other desks do shows here too, but not for each of their payments at once. */
const useNews = () => {
  const client = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const onMessage = () => {
    timer.current ??= setTimeout(() => {
      timer.current = null
      void readAgain(client, ['counter'])
    }, quiet)
  }
  useChanges({ resource: 'rentals' }, { onMessage, onReload: onMessage })
  useChanges({ resource: 'payments' }, { onMessage, onReload: onMessage })
}

interface PageProps {
  readonly title: string
  readonly page: ComponentType
}

const Page = ({ title, page: View }: PageProps) => {
  return (
    <>
      <div className="no-print">
        <PageHeader title={title} />
        <Views />
      </div>
      <Suspense fallback={<Loading />}>
        <View />
      </Suspense>
    </>
  )
}

const CounterArea = () => {
  const t = useTexts(counterTexts)
  const { data: directory } = useDirectory()
  useNews()
  useScanGuard()
  if (directory && !directory.some(({ name }) => name === 'rentals'))
    return <Empty icon={IconBuildingStore} title={t('notHere')} />
  return (
    <Routes>
      {views.map(({ path, says, page }) => (
        <Route key={path} path={path} element={<Page page={page} title={t(path === '' ? 'counter' : says)} />} />
      ))}
      <Route path="receipts/:pk" element={<Page page={ReceiptPage} title={t('receipt')} />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  )
}

export default CounterArea
