// Who stands at the counter: what they have at home, what they owe and what they have earned.

import { ActionIcon, Alert, Badge, Box, Button, Group, ScrollArea, Text, Title } from '@mantine/core'
import type { ResultPage } from '@plinth/client'
import { Loading, ProblemAlert, useTexts } from '@plinth/web'
import { IconUserOff, IconUserScan } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import classes from './counter.module.css'
import { nameOf } from './desk.ts'
import { counterTexts } from './dictionary.ts'
import { Figure } from './figure.tsx'
import { useMoney } from './money.ts'
import type { Customer } from './orders.ts'
import { countOverdue } from './overdue.ts'
import { type CounterRental, client } from './service.ts'
import { Settle } from './settle.tsx'
import { useStoreTime } from './store.ts'

const maxRows = 50

const useClient = (pk: string) =>
  useQuery({
    queryKey: ['counter', 'client', pk],
    queryFn: ({ signal }) => client.clients.first({ where: { user: pk }, signal }),
  })

const useItemsOut = (pk: string) =>
  useQuery({
    queryKey: ['counter', 'out', pk],
    queryFn: async ({ signal }) => {
      const where = { customer: pk, returnDate: null }
      return client.rentals.find({ where, sort: 'dueDate', include: ['inventory'], limit: maxRows, signal })
    },
  })

const useOverdueCount = (pk: string) =>
  useQuery({
    queryKey: ['counter', 'overdue', 'of', pk],
    queryFn: ({ signal }) => countOverdue({ customer: pk }, signal),
  })

const ItemsOut = ({
  page,
  onReturn,
}: {
  readonly page: ResultPage<CounterRental>
  readonly onReturn: (code: string) => void
}) => {
  const t = useTexts(counterTexts)
  const storeTime = useStoreTime()
  const more = (page.total ?? 0) - page.items.length
  const now = Date.now()
  return (
    <ScrollArea.Autosize mah={260} type="auto">
      <ul className={classes.plain}>
        {page.items.map(({ pk, inventory, dueDate }) => (
          <li key={pk} className={classes.out}>
            <Box miw={0}>
              <Text size="sm" className={classes.wrap}>
                {inventory.film.title}
              </Text>
              <Group gap={6}>
                <Text size="xs" c="dimmed">
                  {t('dueBack', { date: storeTime(dueDate) })}
                </Text>
                {Date.parse(dueDate) < now && (
                  <Badge size="xs" color="red" variant="light">
                    {t('isOverdue')}
                  </Badge>
                )}
              </Group>
            </Box>
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => onReturn(inventory.pk)}
              aria-label={t('takeInOf', { title: inventory.film.title ?? inventory.pk })}
            >
              {t('takeIn')}
            </Button>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <Text size="sm" c="dimmed" mt={4}>
          {t('moreOut', { count: more })}
        </Text>
      )}
    </ScrollArea.Autosize>
  )
}

interface CustomerPanelProps {
  readonly customer: Customer | null
  readonly isLocked: boolean
  readonly onReturn: (code: string) => void
  readonly onRemove: () => void
}

const Known = ({ customer, isLocked, onReturn, onRemove }: CustomerPanelProps & { readonly customer: Customer }) => {
  const t = useTexts(counterTexts)
  const money = useMoney()
  const account = useClient(customer.pk)
  const out = useItemsOut(customer.pk)
  const overdue = useOverdueCount(customer.pk)
  const error = account.error ?? out.error ?? overdue.error
  const balance = account.data?.balance ?? 0
  return (
    <>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Box miw={0}>
          <Text fw={700} size="lg" className={classes.wrap}>
            {nameOf(customer)}
          </Text>
          <Text size="sm" c="dimmed" className={classes.wrap}>
            {customer.username} ·{' '}
            {account.data?.cardBarcode ? t('card', { code: account.data.cardBarcode }) : t('noCard')}
          </Text>
        </Box>
        <ActionIcon
          variant="subtle"
          color="gray"
          disabled={isLocked}
          onClick={onRemove}
          aria-label={t('removeCustomer')}
          title={t('removeCustomer')}
        >
          <IconUserOff size={18} aria-hidden />
        </ActionIcon>
      </Group>
      {!customer.active && (
        <Alert color="red" mt="xs" py={6}>
          {t('inactive')}
        </Alert>
      )}
      {error && <ProblemAlert error={error} onRetry={() => void Promise.all([account.refetch(), out.refetch()])} />}
      <dl className={classes.figures}>
        <Figure label={t('out')} value={String(out.data?.total ?? '–')} />
        <Figure label={t('lateCount')} value={String(overdue.data ?? '–')} isBad={(overdue.data ?? 0) > 0} />
        <Figure label={t('points')} value={String(account.data?.bonusPoints ?? (account.isPending ? '–' : 0))} />
        <Figure label={t('owes')} value={money(balance)} isBad={balance > 0} />
      </dl>
      {!isLocked && <Settle customer={customer} balance={balance} />}
      <Title order={3} size="h6" mt="sm" mb={4}>
        {t('itemsOut')}
      </Title>
      {out.isPending && <Loading rows={2} />}
      {out.data && out.data.items.length > 0 && <ItemsOut page={out.data} onReturn={onReturn} />}
      {out.data?.items.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('nothingOut')}
        </Text>
      )}
    </>
  )
}

export const CustomerPanel = (props: CustomerPanelProps) => {
  const t = useTexts(counterTexts)
  return (
    <section className={`surface ${classes.panel}`} aria-label={t('customer')}>
      {props.customer ? (
        <Known {...props} customer={props.customer} key={props.customer.pk} />
      ) : (
        <Group wrap="nowrap" c="dimmed">
          <IconUserScan size={28} aria-hidden />
          <Text size="sm">{t('noCustomerYet')}</Text>
        </Group>
      )}
    </section>
  )
}
