// Voiding a payment and waiving a late fee, each with its reason.

import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { newKey } from '@plinth/client'
import { commonTexts, Dialog, ProblemAlert, useTexts } from '@plinth/web'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { readAmount, sumOf, useMoney } from './money.ts'
import { deliver, type Payments } from './orders.ts'
import type { CounterPayment } from './service.ts'
import { viewTexts } from './view-dictionary.ts'

export type CorrectionAction = 'void' | 'waive'

/** The part of a payment that is a late fee. */
export const lateFee = ({ kind, amount, replacementFee, currency }: CounterPayment): number =>
  kind === 'return' ? sumOf([amount, -replacementFee], currency) : 0

interface CorrectProps {
  readonly payment: CounterPayment
  readonly act: CorrectionAction
  readonly onClose: () => void
  readonly onDone: (payments: Payments) => void
}

const useCorrection = ({ payment, act, onDone }: CorrectProps) => {
  const client = useQueryClient()
  // Until the window is closed it is one act, however often it is tried.
  const [key] = useState(newKey)
  return useMutation({
    mutationFn: (body: { reason: string; amount?: number }) =>
      deliver(`/api/rest/order/payments/${payment.pk}/${act}`, { key, body }),
    onSuccess: payments => {
      void client.invalidateQueries({ queryKey: ['counter'] })
      onDone(payments)
    },
  })
}

const CorrectForm = (props: CorrectProps) => {
  const { payment, act, onClose } = props
  const t = useTexts(viewTexts)
  const common = useTexts(commonTexts)
  const money = useMoney()
  const [reason, setReason] = useState('')
  const [amountText, setAmountText] = useState('')
  const { mutate, error, isPending } = useCorrection(props)
  const amount = readAmount(amountText, payment.currency)
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (isPending || amount === undefined) return
    mutate({ reason: reason.trim(), ...(amount !== null && { amount }) })
  }
  return (
    <form onSubmit={send}>
      <Stack>
        {act === 'void' && <Text size="sm">{t('voidText')}</Text>}
        <Textarea
          label={t('reason')}
          description={t('reasonHint')}
          required
          maxLength={500}
          autosize
          minRows={2}
          value={reason}
          onChange={event => setReason(event.currentTarget.value)}
          data-autofocus
        />
        {act === 'waive' && (
          <TextInput
            label={t('waiveAmount')}
            description={t('waiveAll')}
            placeholder={money(lateFee(payment), payment.currency)}
            inputMode="decimal"
            value={amountText}
            onChange={event => setAmountText(event.currentTarget.value)}
            error={amount === undefined ? t('notAnAmount') : null}
          />
        )}
        <ProblemAlert error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button type="submit" color="red" loading={isPending} disabled={reason.trim() === ''}>
            {t(act === 'void' ? 'voidIt' : 'waiveIt')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

export const CorrectDialog = (props: CorrectProps) => {
  const t = useTexts(viewTexts)
  return (
    <Dialog opened onClose={props.onClose} title={t(props.act === 'void' ? 'voidQuestion' : 'waiveQuestion')}>
      <CorrectForm {...props} />
    </Dialog>
  )
}
