// A receipt as it is printed: narrow, black on white, and alone on the paper.

import { get, Loading, ProblemAlert, useTexts } from '@plinth/web'
import { useQuery } from '@tanstack/react-query'
import classes from './counter.module.css'
import { useMoney } from './money.ts'
import type { PaymentKind } from './orders.ts'
import { useStoreTime } from './store.ts'
import { viewTexts } from './view-dictionary.ts'

interface ReceiptItem {
  readonly pk: string
  readonly kind: PaymentKind
  readonly film: string | null
  readonly copy: string | null
  readonly days: number
  readonly dueDate: string | null
  readonly amount: number
  readonly onAccount: boolean
  readonly reason: string | null
}

export interface ReceiptRecord {
  readonly number: string
  readonly date: string
  readonly currency: string
  readonly customer: string | null
  readonly staff: string | null
  readonly items: readonly ReceiptItem[]
  readonly totalCost: number
  /** The cash that the customer gave, if it is known. */
  readonly tendered: number | null
  readonly change: number | null
}

export const useReceipt = (pk: string) =>
  useQuery({
    queryKey: ['counter', 'receipt', pk],
    queryFn: ({ signal }) => get<ReceiptRecord>(`/api/rest/order/receipts/${encodeURIComponent(pk)}`, { signal }),
    // What was paid is never changed.
    staleTime: Number.POSITIVE_INFINITY,
  })

const ReceiptLine = ({ item, receipt }: { readonly item: ReceiptItem; readonly receipt: ReceiptRecord }) => {
  const t = useTexts(viewTexts)
  const money = useMoney()
  const storeTime = useStoreTime()
  const details = [
    item.copy,
    item.kind === 'rental' ? t('forDays', { count: item.days }) : null,
    item.kind === 'return' && item.days > 0 ? t('daysLate', { count: item.days }) : null,
    item.dueDate && t('dueBack', { date: storeTime(item.dueDate) }),
    item.onAccount ? t('onAccount') : null,
    item.reason,
  ]
  return (
    <li>
      <div className={classes.receiptLine}>
        <span>
          {t(item.kind)}
          {item.film && `: ${item.film}`}
        </span>
        <span>{money(item.amount, receipt.currency)}</span>
      </div>
      <div className={classes.receiptSmall}>{details.filter(Boolean).join(' · ')}</div>
    </li>
  )
}

export const Receipt = ({ pk }: { readonly pk: string }) => {
  const t = useTexts(viewTexts)
  const money = useMoney()
  const storeTime = useStoreTime()
  const { data: receipt, error, refetch } = useReceipt(pk)
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />
  if (!receipt) return <Loading rows={4} />
  const { currency, totalCost, tendered, change } = receipt
  return (
    <article className={classes.receipt} aria-label={t('receipt')}>
      <h2>{t('receipt')}</h2>
      <p className={classes.receiptSmall}>
        {storeTime(receipt.date)}
        <br />
        {t('number', { number: receipt.number })}
        <br />
        {receipt.customer && (
          <>
            {t('customer', { name: receipt.customer })}
            <br />
          </>
        )}
        {receipt.staff && t('servedBy', { name: receipt.staff })}
      </p>
      <ul className={classes.plain}>
        {receipt.items.map(item => (
          <ReceiptLine key={item.pk} item={item} receipt={receipt} />
        ))}
      </ul>
      <div className={classes.receiptTotal}>
        <span>{t('total')}</span>
        <span>{money(totalCost, currency)}</span>
      </div>
      {tendered !== null && change !== null && (
        <>
          <div className={classes.receiptLine}>
            <span>{t('tendered')}</span>
            <span>{money(tendered, currency)}</span>
          </div>
          <div className={classes.receiptLine}>
            <span>{t('change')}</span>
            <span>{money(change, currency)}</span>
          </div>
        </>
      )}
    </article>
  )
}
