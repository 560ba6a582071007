// Paying off what is owed.

import { Alert, Anchor, Button, Group, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { newKey } from '@plinth/client'
import { commonTexts, Dialog, ProblemAlert, useTexts } from '@plinth/web'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { counterTexts } from './dictionary.ts'
import { readAmount, useCurrency, useMoney } from './money.ts'
import { type Customer, deliver, type Payments, receiptPk } from './orders.ts'

interface SettleProps {
  readonly customer: Customer
  readonly balance: number
}

interface SettleFormProps extends SettleProps {
  readonly onDone: (payments: Payments) => void
  readonly onCancel: () => void
}

const SettleForm = ({ customer, balance, onDone, onCancel }: SettleFormProps) => {
  const t = useTexts(counterTexts)
  const common = useTexts(commonTexts)
  const money = useMoney()
  const currency = useCurrency()
  const client = useQueryClient()
  const [key] = useState(newKey)
  const [text, setText] = useState(String(balance))
  const amount = readAmount(text, currency)
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => deliver('/api/rest/order/settlements', { key, body: { customer: customer.pk, amount } }),
    onSuccess: payments => {
      void client.invalidateQueries({ queryKey: ['counter'] })
      onDone(payments)
    },
  })
  const isSound = typeof amount === 'number' && amount > 0
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (isSound && !isPending) mutate()
  }
  return (
    <form onSubmit={send}>
      <Stack>
        <TextInput
          label={t('settleAmount')}
          description={`${t('owes')} ${money(balance)}`}
          inputMode="decimal"
          value={text}
          onChange={event => setText(event.currentTarget.value)}
          error={isSound ? null : t('notAnAmount')}
          data-autofocus
        />
        <ProblemAlert error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {common('cancel')}
          </Button>
          <Button type="submit" loading={isPending} disabled={!isSound}>
            {t('settle')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

export const Settle = (props: SettleProps) => {
  const t = useTexts(counterTexts)
  const money = useMoney()
  const [opened, { open, close }] = useDisclosure(false)
  const [paid, setPaid] = useState<Payments | null>(null)
  return (
    <>
      <div role="status">
        {paid && (
          <Alert color="teal" mt="xs" py={6}>
            {t('settled', { amount: money(paid.totalCost, paid.currency) })}{' '}
            <Anchor component={Link} to={`/counter/receipts/${receiptPk(paid)}`} size="sm" underline="always">
              {t('openReceipt')}
            </Anchor>
          </Alert>
        )}
      </div>
      {props.balance > 0 && (
        <Button size="xs" mt="xs" onClick={open}>
          {t('settle')}
        </Button>
      )}
      <Dialog opened={opened} onClose={close} title={t('settle')}>
        <SettleForm
          {...props}
          onCancel={close}
          onDone={payments => {
            setPaid(payments)
            close()
          }}
        />
      </Dialog>
    </>
  )
}
