// Who stands at the counter: what they have at home, what they owe and what they have earned.

import { ActionIcon, Alert, Badge, Box, Button, Group, ScrollArea, Text, Title } from '@mantine/core'
import { toFilter } from '@plinth/client'
import { fetchPage, type Item, Loading, type Page, ProblemAlert, useTexts } from '@plinth/web'
import { IconUserOff, IconUserScan } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import classes from './counter.module.css'
import { nameOf } from './desk.ts'
import { counterTexts } from './dictionary.ts'
import { Figure } from './figure.tsx'
import { useMoney } from './money.ts'
import type { CounterRental, Customer } from './orders.ts'
import { Settle } from './settle.tsx'
import { useStoreTime } from './store.ts'

interface ClientRecord extends Item {
  readonly bonusPoints: number
  readonly cardBarcode: string | null
  readonly balance: number
}

const maxRows = 50

const useClient = (pk: string) =>
  useQuery({
    queryKey: ['counter', 'client', pk],
    queryFn: async ({ signal }) =>
      (await fetchPage<ClientRecord>('/api/rest/clients', { user: pk }, signal)).content[0] ?? null,
  })

const openRentals = (pk: string) => toFilter({ customer: pk, returnDate: null })

const useItemsOut = (pk: string) =>
  useQuery({
    queryKey: ['counter', 'out', pk],
    queryFn: ({ signal }) =>
      fetchPage<CounterRental>(
        '/api/rest/rentals',
        { filter: openRentals(pk), sort: 'dueDate', include: 'inventory', _ps: maxRows },
        signal,
      ),
  })

const useOverdueCount = (pk: string) =>
  useQuery({
    queryKey: ['counter', 'overdue', 'of', pk],
    queryFn: async ({ signal }) =>
      (await fetchPage('/api/rest/order/overdue', { customer: pk, _ps: 1 }, signal)).page.totalElements ?? 0,
  })

const ItemsOut = ({
  page,
  onReturn,
}: {
  readonly page: Page<CounterRental>
  readonly onReturn: (code: string) => void
}) => {
  const t = useTexts(counterTexts)
  const storeTime = useStoreTime()
  const more = (page.page.totalElements ?? 0) - page.content.length
  const now = Date.now()
  return (
    <ScrollArea.Autosize mah={260} type="auto">
      <ul className={classes.plain}>
        {page.content.map(({ pk, inventory, dueDate }) => (
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
              aria-label={t('takeInOf', { title: inventory.film.title })}
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
  const client = useClient(customer.pk)
  const out = useItemsOut(customer.pk)
  const overdue = useOverdueCount(customer.pk)
  const error = client.error ?? out.error ?? overdue.error
  const balance = client.data?.balance ?? 0
  return (
    <>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Box miw={0}>
          <Text fw={700} size="lg" className={classes.wrap}>
            {nameOf(customer)}
          </Text>
          <Text size="sm" c="dimmed" className={classes.wrap}>
            {customer.username} ·{' '}
            {client.data?.cardBarcode ? t('card', { code: client.data.cardBarcode }) : t('noCard')}
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
      {error && <ProblemAlert error={error} onRetry={() => void Promise.all([client.refetch(), out.refetch()])} />}
      <dl className={classes.figures}>
        <Figure label={t('out')} value={String(out.data?.page.totalElements ?? '–')} />
        <Figure label={t('lateCount')} value={String(overdue.data ?? '–')} isBad={(overdue.data ?? 0) > 0} />
        <Figure label={t('points')} value={String(client.data?.bonusPoints ?? (client.isPending ? '–' : 0))} />
        <Figure label={t('owes')} value={money(balance)} isBad={balance > 0} />
      </dl>
      {!isLocked && <Settle customer={customer} balance={balance} />}
      <Title order={3} size="h6" mt="sm" mb={4}>
        {t('itemsOut')}
      </Title>
      {out.isPending && <Loading rows={2} />}
      {out.data && out.data.content.length > 0 && <ItemsOut page={out.data} onReturn={onReturn} />}
      {out.data?.content.length === 0 && (
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
