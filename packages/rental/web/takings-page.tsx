// What went over the counter, day by day.

import { Group, SegmentedControl, Text, TextInput, Title } from '@mantine/core'
import { BarChart, Empty, get, Loading, ProblemAlert, useFormats, useTexts } from '@plinth/web'
import { IconChartBar } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import classes from './counter.module.css'
import { Figure } from './figure.tsx'
import { type PaymentKind, paymentKinds } from './orders.ts'
import { nothing, type RowColumn, RowTable } from './row-table.tsx'
import { viewTexts } from './view-dictionary.ts'

interface Sums {
  readonly taken: number
  readonly byKind: Readonly<Record<PaymentKind, number>>
  readonly onAccount: number
  readonly count: number
}

interface Day extends Sums {
  /** Is null for all days together. */
  readonly date: string | null
}

interface Takings extends Sums {
  readonly from: string
  readonly to: string
  readonly currency: string
  readonly timeZone: string
  readonly days: readonly (Sums & { readonly date: string })[]
}

interface Period {
  readonly from?: string
  readonly to?: string
}

const lengths = [7, 30, 90]

const dayLength = 24 * 3600_000
const addDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * dayLength).toISOString().slice(0, 10)

const useTakings = (period: Period) =>
  useQuery({
    queryKey: ['counter', 'takings', period],
    queryFn: ({ signal }) => get<Takings>('/api/rest/order/takings', { query: { ...period }, signal }),
    placeholderData: keepPreviousData,
  })

interface DayInputProps {
  readonly label: string
  readonly value: string
  readonly onDay: (day: string) => void
}

/** Takes a day. While a year is being typed, its first digits are years too: those of long ago are not meant. */
const DayInput = ({ label, value, onDay }: DayInputProps) => {
  const [typed, setTyped] = useState<string | null>(null)
  const write = (text: string) => {
    setTyped(text)
    if (text >= '1900') onDay(text)
  }
  return (
    <TextInput
      type="date"
      label={label}
      value={typed ?? value}
      onChange={event => write(event.currentTarget.value)}
      onBlur={() => setTyped(null)}
    />
  )
}

interface PeriodChoiceProps {
  readonly takings: Takings | undefined
  readonly onChoose: (period: Period) => void
}

const PeriodChoice = ({ takings, onChoose }: PeriodChoiceProps) => {
  const t = useTexts(viewTexts)
  const { from = '', to = '' } = takings ?? {}
  const length = takings?.days.length ?? 0
  return (
    <Group mb="sm" align="flex-end">
      <SegmentedControl
        disabled={!takings}
        aria-label={t('period')}
        value={lengths.includes(length) ? String(length) : ''}
        onChange={days => onChoose({ from: addDays(to, 1 - Number(days)), to })}
        data={lengths.map(days => ({ value: String(days), label: t('last', { count: days }) }))}
      />
      <DayInput label={t('from')} value={from} onDay={day => onChoose({ from: day, to })} />
      <DayInput label={t('to')} value={to} onDay={day => onChoose({ from, to: day })} />
    </Group>
  )
}

const Figures = ({ takings }: { readonly takings: Takings }) => {
  const t = useTexts(viewTexts)
  const { money, number } = useFormats()
  const { taken, onAccount, count, days, currency } = takings
  return (
    <dl className={`surface ${classes.panel} ${classes.figures}`} data-figures>
      <Figure label={t('taken')} value={money(taken, currency)} />
      <Figure label={t('perDay')} value={money(taken / days.length, currency)} />
      <Figure label={t('owed')} value={money(onAccount, currency)} />
      <Figure label={t('count')} value={number(count)} />
    </dl>
  )
}

const DayTable = ({ takings }: { readonly takings: Takings }) => {
  const t = useTexts(viewTexts)
  const { money, number, date } = useFormats()
  const amount = (value: number) => (value === 0 ? nothing : money(value, takings.currency))
  const columns: RowColumn<Day>[] = [
    { label: t('day'), cell: day => (day.date === null ? t('wholePeriod') : date(day.date)) },
    ...paymentKinds.map(kind => ({
      label: t(kind),
      isNumber: true,
      cell: ({ byKind }: Day) => amount(byKind[kind]),
    })),
    { label: t('taken'), isNumber: true, cell: ({ taken }) => money(taken, takings.currency) },
    { label: t('owed'), isNumber: true, cell: ({ onAccount }) => amount(onAccount) },
    { label: t('count'), isNumber: true, cell: ({ count }) => number(count) },
  ]
  const rows: Day[] = takings.days.filter(({ count }) => count > 0).reverse()
  return (
    <RowTable
      label={t('takingsTitle')}
      columns={columns}
      rows={rows}
      keyOf={({ date }) => date ?? ''}
      sums={{ ...takings, date: null }}
    />
  )
}

const Report = ({ takings }: { readonly takings: Takings }) => {
  const t = useTexts(viewTexts)
  const { money, date } = useFormats()
  const { currency, days } = takings
  const data = days.map(day => ({ date: date(day.date), taken: day.taken }))
  if (takings.count === 0) return <Empty icon={IconChartBar} title={t('noTakings')} />
  return (
    <>
      <Figures takings={takings} />
      <section className={`surface ${classes.panel} ${classes.lines}`}>
        <Title order={2} size="h4" mb="sm">
          {t('byDay')}
        </Title>
        <BarChart
          data={data}
          name="date"
          value={{ key: 'taken', label: t('taken'), format: value => money(value, currency) }}
        />
      </section>
      <section className={`surface ${classes.lines}`}>
        <DayTable takings={takings} />
      </section>
      <Text c="dimmed" size="sm" mt="xs">
        {t('onlyDays')}
      </Text>
    </>
  )
}

const TakingsPage = () => {
  const t = useTexts(viewTexts)
  const [period, setPeriod] = useState<Period>({})
  const { data, error, refetch } = useTakings(period)
  return (
    <>
      <Text c="dimmed" size="sm" mb="sm">
        {t('takingsText', { zone: data?.timeZone ?? '…' })}
      </Text>
      <PeriodChoice takings={data} onChoose={setPeriod} />
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {data ? <Report takings={data} /> : !error && <Loading rows={7} />}
    </>
  )
}

export default TakingsPage
