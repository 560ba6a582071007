// A receipt of the past: print it again, or correct what was wrong with it.

import { Alert, Badge, Button, Group, Text, Title } from '@mantine/core'
import { Loading, ProblemAlert, useTexts } from '@plinth/web'
import { IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { CorrectDialog, type CorrectionAction, lateFee } from './correct.tsx'
import classes from './counter.module.css'
import { useMoney } from './money.ts'
import { type Payments, receiptPk } from './orders.ts'
import { Receipt, useReceipt } from './receipt.tsx'
import { type RowColumn, RowTable } from './row-table.tsx'
import { type CounterPayment, client } from './service.ts'
import { viewTexts } from './view-dictionary.ts'

interface Row {
  readonly payment: CounterPayment
  readonly title: string
  readonly isVoided: boolean
  readonly isWaived: boolean
}

const find = async (where: NonNullable<Parameters<typeof client.payments.find>[0]>['where'], signal: AbortSignal) =>
  (await client.payments.find({ where, limit: 500, total: 'none', signal })).items

/** The payments of the receipt, and those that corrected them since. */
const usePayments = (receipt: string) =>
  useQuery({
    queryKey: ['counter', 'payments', 'of', receipt],
    queryFn: async ({ signal }) => {
      const payments = await find({ receipt }, signal)
      if (payments.length === 0) return []
      const among = { in: payments.map(({ pk }) => pk) }
      const later = await find({ or: [{ voids: among }, { waives: among }] }, signal)
      return payments.map(payment => ({
        payment,
        isVoided: later.some(({ voids }) => voids?.pk === payment.pk),
        isWaived: later.some(({ waives }) => waives?.pk === payment.pk),
      }))
    },
  })

const isVoidable = ({ payment, isVoided }: Row): boolean =>
  !isVoided && payment.kind !== 'void' && payment.kind !== 'waiver'

const isWaivable = ({ payment, isVoided, isWaived }: Row): boolean => !isVoided && !isWaived && lateFee(payment) > 0

interface ActionsProps {
  readonly row: Row
  readonly onAct: (act: CorrectionAction) => void
}

const Actions = ({ row, onAct }: ActionsProps) => {
  const t = useTexts(viewTexts)
  return (
    <Group gap={6} justify="flex-end">
      {row.isVoided && <Badge color="red">{t('voided')}</Badge>}
      {row.isWaived && <Badge color="yellow">{t('waived')}</Badge>}
      {isWaivable(row) && (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => onAct('waive')}
          aria-label={t('waiveOf', { what: row.title })}
        >
          {t('waiveIt')}
        </Button>
      )}
      {isVoidable(row) && (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => onAct('void')}
          aria-label={t('voidOf', { what: row.title })}
        >
          {t('voidIt')}
        </Button>
      )}
    </Group>
  )
}

/** What the clerk has to do with the money now. */
const Outcome = ({ payments }: { readonly payments: Payments }) => {
  const t = useTexts(viewTexts)
  const money = useMoney()
  const { totalCost, currency } = payments
  const isOwed = payments.items.every(({ onAccount }) => onAccount)
  return (
    <Alert color="teal" role="status" mb="sm">
      <Group gap="sm">
        <Text size="sm">{t(isOwed ? 'lessOwed' : 'giveBack', { amount: money(-totalCost, currency) })}</Text>
        <Button size="xs" variant="default" component={Link} to={`/counter/receipts/${receiptPk(payments)}`}>
          {t('newReceipt')}
        </Button>
      </Group>
    </Alert>
  )
}

const Corrections = ({ receipt }: { readonly receipt: string }) => {
  const t = useTexts(viewTexts)
  const money = useMoney()
  const { data: printed } = useReceipt(receipt)
  const { data, error, refetch } = usePayments(printed?.number ?? receipt)
  const [chosen, setChosen] = useState<{ payment: CounterPayment; act: CorrectionAction } | null>(null)
  const [outcome, setOutcome] = useState<Payments | null>(null)
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading rows={3} />
  const filmOf = (pk: string) => printed?.items.find(item => item.pk === pk)?.film
  const rows: Row[] = data.map(one => {
    const { kind, pk } = one.payment
    return { ...one, title: [t(kind), filmOf(pk)].filter(Boolean).join(': ') }
  })
  const columns: RowColumn<Row>[] = [
    { label: t('payment'), cell: ({ title }) => title },
    { label: t('amount'), isNumber: true, cell: ({ payment }) => money(payment.amount, payment.currency) },
    {
      label: t('actions'),
      isNumber: true,
      cell: row => <Actions row={row} onAct={act => setChosen({ payment: row.payment, act })} />,
    },
  ]
  return (
    <>
      {outcome && <Outcome payments={outcome} />}
      <RowTable label={t('corrections')} columns={columns} rows={rows} keyOf={({ payment }) => payment.pk} />
      {chosen && (
        <CorrectDialog
          {...chosen}
          onClose={() => setChosen(null)}
          onDone={payments => {
            setChosen(null)
            setOutcome(payments)
          }}
        />
      )}
    </>
  )
}

const ReceiptPage = () => {
  const t = useTexts(viewTexts)
  const { pk = '' } = useParams()
  return (
    <div className={classes.receiptPage} key={pk}>
      <div>
        <Button className="no-print" leftSection={<IconPrinter size={18} aria-hidden />} onClick={() => window.print()}>
          {t('print')}
        </Button>
        <Receipt pk={pk} />
      </div>
      <section className={`surface no-print ${classes.panel}`}>
        <Title order={2} size="h4">
          {t('corrections')}
        </Title>
        <Text size="sm" c="dimmed" mb="sm">
          {t('correctionsText')}
        </Text>
        <Corrections receipt={pk} />
      </section>
    </div>
  )
}

export default ReceiptPage
