// One copy on the desk: what happens to it, for how long, and what that costs.

import { ActionIcon, Alert, Badge, Box, Button, Group, NativeSelect, Text, TextInput } from '@mantine/core'
import type { ProblemFault } from '@plinth/client'
import { faultText, useTexts } from '@plinth/web'
import { IconTrash } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import classes from './counter.module.css'
import { type DeskLine, isPending, isReturn } from './desk.ts'
import { counterTexts } from './dictionary.ts'
import { useMoney } from './money.ts'
import { type CopyCondition, conditions } from './orders.ts'
import { usePriceExplained } from './price-explained.ts'
import { useStoreTime } from './store.ts'

export interface LineRowProps {
  readonly line: DeskLine
  readonly isLocked: boolean
  /** The customer at the counter. */
  readonly customer: string | null
  readonly onDays: (days: number) => void
  readonly onCondition: (condition: CopyCondition) => void
  readonly onRemove: () => void
  readonly onServe: (code: string) => void
  /** Is called with more digits than days have: the beginning of a scan. */
  readonly onScan: (text: string) => void
  /** Enter: back to the box. */
  readonly onDone: () => void
}

/** Digits as they are typed; what is not a number yet changes nothing. */
const Days = ({ line, isLocked, onDays, onScan, onDone }: LineRowProps) => {
  const t = useTexts(counterTexts)
  const [typed, setTyped] = useState<string | null>(null)
  const before = useRef(line.days)
  const write = (text: string) => {
    if (/^\d{4,}$/.test(text)) {
      onDays(before.current)
      return onScan(text)
    }
    setTyped(text)
    if (/^\d{1,3}$/.test(text) && Number(text) > 0) onDays(Number(text))
  }
  return (
    <TextInput
      type="number"
      label={t('days')}
      aria-label={t('daysOf', { title: line.order.filmTitle })}
      data-days
      min={1}
      max={365}
      w={76}
      value={typed ?? line.days}
      disabled={isLocked}
      onChange={event => write(event.currentTarget.value)}
      onFocus={event => {
        before.current = line.days
        event.currentTarget.select()
      }}
      onBlur={() => setTyped(null)}
      onKeyDown={event => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        onDone()
      }}
    />
  )
}

const ConditionChoice = ({ line, isLocked, onCondition }: LineRowProps) => {
  const t = useTexts(counterTexts)
  return (
    <NativeSelect
      label={t('condition')}
      aria-label={t('conditionOf', { title: line.order.filmTitle })}
      w={120}
      value={line.condition}
      disabled={isLocked}
      data={conditions.map(value => ({ value, label: t(value) }))}
      onChange={event => onCondition(event.currentTarget.value as CopyCondition)}
    />
  )
}

const LineFault = ({ fault }: { readonly fault: ProblemFault }) => (
  <Alert color="red" py={4} className={classes.lineNote}>
    {faultText(fault)}
  </Alert>
)

/** What the customer saw before, beside what holds now. */
const LineChange = ({ line }: { readonly line: DeskLine }) => {
  const t = useTexts(counterTexts)
  const money = useMoney()
  const { was, order } = line
  if (!was) return null
  const sentences = [
    ...(was.rentalId === order.rentalId ? [] : [t(order.rentalId === null ? 'nowAvailable' : 'nowRented')]),
    t('changedPrice', { old: money(was.cost, was.currency), new: money(order.cost, order.currency) }),
  ]
  return (
    <Alert color="yellow" py={4} className={classes.lineNote}>
      {sentences.join(' ')}
    </Alert>
  )
}

const Renter = ({ line, customer, isLocked, onServe }: LineRowProps) => {
  const t = useTexts(counterTexts)
  const renter = line.order.customer
  if (!renter || renter.pk === customer) return null
  const name = renter.username ?? renter.pk
  return (
    <Group gap="xs" component="span">
      {t('rentedBy', { name })}
      {customer === null && !isLocked && (
        <Button size="compact-xs" variant="light" onClick={() => onServe(renter.pk)}>
          {t('serveRenter', { name })}
        </Button>
      )}
    </Group>
  )
}

export const LineRow = (props: LineRowProps) => {
  const t = useTexts(counterTexts)
  const money = useMoney()
  const explain = usePriceExplained()
  const storeTime = useStoreTime()
  const { line, isLocked, onRemove } = props
  const { order } = line
  const back = isReturn(line)
  return (
    <li className={classes.line} data-changed={line.was !== null || undefined}>
      <Box className={classes.lineAbout}>
        <Group gap={6}>
          <Text fw={600} className={classes.wrap}>
            {order.filmTitle}
          </Text>
          <Badge color={back ? 'cyan' : 'brand'} variant="light">
            {t(back ? 'return' : 'rental')}
          </Badge>
        </Group>
        <Text size="sm" c="dimmed" className={classes.wrap}>
          {order.barcode ?? order.inventoryId} · {order.filmMpaa} ·{' '}
          {t(back && order.days > 0 ? 'wasDue' : 'dueBack', { date: storeTime(order.dueDate) })}
        </Text>
        <Text size="sm" c="dimmed">
          {isPending(line) ? t('pricing') : explain(order)}
        </Text>
        <Text size="sm" component="div">
          <Renter {...props} />
        </Text>
      </Box>
      {back ? <ConditionChoice {...props} /> : <Days {...props} />}
      <Text className={classes.price} fw={700} aria-busy={isPending(line)} data-cost>
        {isPending(line) ? '…' : money(order.cost, order.currency)}
      </Text>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        disabled={isLocked}
        onClick={onRemove}
        aria-label={t('removeLine', { title: order.filmTitle })}
      >
        <IconTrash size={18} aria-hidden />
      </ActionIcon>
      <LineChange line={line} />
      {line.fault && <LineFault fault={line.fault} />}
    </li>
  )
}
