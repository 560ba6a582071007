// Paying off what is owed.

import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { newKey } from '../../api/request.ts'
import { commonTexts } from '../../common/dictionary.ts'
import { showNews } from '../../common/notify.ts'
import { ProblemAlert } from '../../common/problem-alert.tsx'
import { useText } from '../../i18n/dictionary.ts'
import { counterTexts } from './dictionary.ts'
import { readAmount, useCurrency, useMoney } from './money.ts'
import { deliver, type Person, receiptPk } from './orders.ts'

interface SettleProps {
  readonly customer: Person
  readonly balance: number
}

const SettleForm = ({ customer, balance, onDone }: SettleProps & { readonly onDone: () => void }) => {
  const t = useText(counterTexts)
  const common = useText(commonTexts)
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
      const receipt = <Link to={`/counter/receipts/${receiptPk(payments)}`}>{t('openReceipt')}</Link>
      showNews({
        message: (
          <>
            {t('settled', { amount: money(payments.totalCost, payments.currency) })} {receipt}
          </>
        ),
      })
      onDone()
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
          <Button variant="default" onClick={onDone}>
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
  const t = useText(counterTexts)
  const common = useText(commonTexts)
  const [opened, { open, close }] = useDisclosure(false)
  return (
    <>
      <Button size="xs" mt="xs" onClick={open}>
        {t('settle')}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={t('settle')}
        centered
        closeButtonProps={{ 'aria-label': common('close') }}
      >
        <SettleForm {...props} onDone={close} />
      </Modal>
    </>
  )
}
