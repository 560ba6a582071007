// What should be back by now.

import { Box, Button, Grid, Text, Title } from '@mantine/core'
import { BarChart, Empty, Loading, ProblemAlert, useFormats, useTexts } from '@plinth/web'
import { IconMoodSmile } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import classes from './counter.module.css'
import { sumOf, useMoney } from './money.ts'
import { countOverdue, findOverdue } from './overdue.ts'
import { PagedTable } from './paged-table.tsx'
import { type RowColumn, RowTable } from './row-table.tsx'
import type { CounterRental } from './service.ts'
import { useStoreTime } from './store.ts'
import { useMorePages } from './use-more-pages.ts'
import { viewTexts } from './view-dictionary.ts'

const dayLength = 24 * 3600_000

/** The days at which the groups of the chart begin. */
const steps = [0, 3, 7, 14, 30] as const

interface Group {
  readonly label: string
  /** The short name for the chart. */
  readonly short: string
  readonly count: number
}

/** Reads groups counted by the service, so that ten thousand cost no more than ten. */
const useGroups = () => {
  const t = useTexts(viewTexts)
  const counts = useQuery({
    queryKey: ['counter', 'overdue', 'groups'],
    queryFn: ({ signal }) => {
      const before = (days: number) => new Date(Date.now() - days * dayLength).toISOString()
      return Promise.all(
        steps.map(async (from, at) => {
          const to = steps[at + 1]
          const parts = [`dueDate=le=${before(from)}`, ...(to === undefined ? [] : [`dueDate=gt=${before(to)}`])]
          return countOverdue({ filter: parts.join(';') }, signal)
        }),
      )
    },
  })
  const label = (from: number, to: number | undefined) => {
    if (to === undefined) return t('lateOver', { from })
    return from === 0 ? t('lateUpTo', { to }) : t('lateDays', { from, to })
  }
  const groups = counts.data?.map((count, at): Group => {
    const [from = 0, to] = steps.slice(at)
    return { count, label: label(from, to), short: to === undefined ? `> ${from}` : `${from}–${to}` }
  })
  return { ...counts, groups }
}

const HowLate = () => {
  const t = useTexts(viewTexts)
  const formats = useFormats()
  const { groups, error, refetch } = useGroups()
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />
  if (!groups)
    return (
      <Box mb="md">
        <Loading rows={4} />
      </Box>
    )
  const columns: RowColumn<Group>[] = [
    { label: t('howLate'), cell: ({ label }) => label },
    { label: t('howMany'), isNumber: true, cell: ({ count }) => formats.number(count) },
  ]
  const data = groups.map(({ short, count }) => ({ short, count }))
  if (groups.every(({ count }) => count === 0)) return null
  return (
    <section className={`surface ${classes.panel}`}>
      <Title order={2} size="h4" mb="sm">
        {t('howLate')}
      </Title>
      <Grid>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <BarChart data={data} name="short" value={{ key: 'count', label: t('howMany'), format: formats.number }} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <RowTable label={t('howLate')} columns={columns} rows={groups} keyOf={({ label }) => label} isSmall />
        </Grid.Col>
      </Grid>
    </section>
  )
}

const useColumns = (): readonly RowColumn<CounterRental>[] => {
  const t = useTexts(viewTexts)
  const money = useMoney()
  const storeTime = useStoreTime()
  const daysLate = ({ dueDate }: CounterRental) =>
    Math.max(0, Math.floor((Date.now() - Date.parse(dueDate)) / dayLength))
  return [
    { label: t('who'), cell: ({ customer }) => customer.username ?? customer.pk },
    { label: t('film'), cell: ({ inventory }) => `${inventory.film.title} (${inventory.barcode ?? inventory.pk})` },
    { label: t('due'), cell: ({ dueDate }) => storeTime(dueDate) },
    { label: t('late'), isNumber: true, cell: rental => t('daysLate', { count: daysLate(rental) }) },
    {
      label: t('feeByNow'),
      isNumber: true,
      cell: rental => {
        const { dailyPrice, currency } = rental
        return money(sumOf([daysLate(rental) * (dailyPrice ?? 0)], currency), currency)
      },
    },
    {
      label: t('actions'),
      isNumber: true,
      cell: ({ customer }) => (
        <Button
          component={Link}
          to={`/counter?scan=${encodeURIComponent(customer.pk)}`}
          size="compact-sm"
          variant="default"
          aria-label={t('atDeskOf', { name: customer.username ?? customer.pk })}
        >
          {t('atDesk')}
        </Button>
      ),
    },
  ]
}

const OverdueList = () => {
  const t = useTexts(viewTexts)
  const columns = useColumns()
  const list = useMorePages(['overdue'], ({ after, signal }) => {
    const next = after === null ? {} : { _after: after, _total: 'none' }
    return findOverdue({ sort: 'dueDate', include: 'inventory', _ps: 25, ...next }, signal)
  })
  const empty = <Empty icon={IconMoodSmile} title={t('nothingOverdue')} text={t('nothingOverdueText')} />
  return <PagedTable list={list} label={t('overdueTitle')} columns={columns} empty={empty} />
}

const OverduePage = () => {
  const t = useTexts(viewTexts)
  return (
    <>
      <Text c="dimmed" size="sm" mb="sm">
        {t('overdueText')}
      </Text>
      <HowLate />
      <section className={`surface ${classes.lines}`}>
        <OverdueList />
      </section>
    </>
  )
}

export default OverduePage
