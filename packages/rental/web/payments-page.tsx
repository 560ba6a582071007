// Everything that was paid, the newest first: the way to old receipts and their corrections.

import { Anchor, Group, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { containing, type RecordOf } from '@plinth/client'
import { Empty, useTexts } from '@plinth/web'
import { IconReceipt, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { useMoney } from './money.ts'
import { type PaymentKind, paymentKinds } from './orders.ts'
import { PagedTable } from './paged-table.tsx'
import type { RowColumn } from './row-table.tsx'
import { type CounterSchema, client } from './service.ts'
import { useStoreTime } from './store.ts'
import { useMorePages } from './use-more-pages.ts'
import { viewTexts } from './view-dictionary.ts'

type ListedPayment = RecordOf<CounterSchema, 'payments', never, 'rental.inventory'>

const conditionOf = (text: string, kind: PaymentKind | '') => {
  const name = { ilike: containing(text) }
  const matches = [
    { customer: { or: [{ username: name }, { name }] } },
    { rental: { inventory: { or: [{ film: { title: name } }, { barcode: text }] } } },
    { receipt: text },
  ]
  return { ...(text && { or: matches }), ...(kind && { kind }) }
}

const useColumns = (): readonly RowColumn<ListedPayment>[] => {
  const t = useTexts(viewTexts)
  const money = useMoney()
  const storeTime = useStoreTime()
  const what = ({ kind, rental }: ListedPayment) => [t(kind), rental?.inventory?.film?.title].filter(Boolean).join(': ')
  return [
    {
      label: t('when'),
      cell: payment => (
        <Anchor
          component={Link}
          to={`/counter/receipts/${payment.receipt}`}
          aria-label={`${storeTime(payment.createdDate)}. ${t('openReceipt', { what: what(payment) })}`}
          size="sm"
        >
          {storeTime(payment.createdDate)}
        </Anchor>
      ),
    },
    { label: t('what'), cell: what },
    { label: t('who'), cell: ({ customer }) => customer.username ?? customer.pk },
    { label: t('staff'), cell: ({ staff }) => staff?.username ?? '–' },
    {
      label: t('amount'),
      isNumber: true,
      cell: ({ amount, currency, onAccount }) => `${money(amount, currency)}${onAccount ? ` (${t('onAccount')})` : ''}`,
    },
  ]
}

const PaymentList = ({ text, kind }: { readonly text: string; readonly kind: PaymentKind | '' }) => {
  const t = useTexts(viewTexts)
  const columns = useColumns()
  const list = useMorePages(['payments', text, kind], place =>
    client.payments.find({
      ...{ where: conditionOf(text, kind), sort: '-createdDate', include: ['rental.inventory'], ...place },
      ...{ limit: 25, total: 'none' },
    }),
  )
  const empty = <Empty icon={IconReceipt} title={t('noPayments')} text={t('noPaymentsText')} />
  return <PagedTable list={list} label={t('payment')} columns={columns} empty={empty} />
}

const PaymentsPage = () => {
  const t = useTexts(viewTexts)
  const [text, setText] = useState('')
  const [kind, setKind] = useState<PaymentKind | ''>('')
  const [query] = useDebouncedValue(text.trim(), 250)
  return (
    <>
      <Group mb="sm" align="flex-end">
        <TextInput
          type="search"
          label={t('findPayments')}
          leftSection={<IconSearch size={18} aria-hidden />}
          value={text}
          onChange={event => setText(event.currentTarget.value)}
          style={{ flex: '1 1 16rem' }}
          maxLength={100}
        />
        <NativeSelect
          label={t('kind')}
          value={kind}
          onChange={event => setKind(paymentKinds.find(one => one === event.currentTarget.value) ?? '')}
          data={[{ value: '', label: t('allKinds') }, ...paymentKinds.map(value => ({ value, label: t(value) }))]}
        />
      </Group>
      <section className="surface">
        <PaymentList text={query} kind={kind} />
      </section>
    </>
  )
}

export default PaymentsPage
