// The end of each sale: the total, what was tendered, the change, and the button that does it.

import { Box, Button, Group, Kbd, Text, TextInput } from '@mantine/core'
import { useTexts } from '@plinth/web'
import { type FormEvent, type RefObject, useRef } from 'react'
import classes from './counter.module.css'
import { changeOf, currencyOf, type Desk, isEmpty, isPending, tenderedOf, totalOf } from './desk.ts'
import { counterTexts } from './dictionary.ts'
import { useMoney } from './money.ts'

interface PayPanelProps {
  readonly desk: Desk
  readonly field: RefObject<HTMLInputElement | null>
  readonly onTendered: (text: string) => void
  /** Is called with more digits than an amount has: the beginning of a scan. */
  readonly onScan: (text: string) => void
  readonly onSubmit: () => void
  readonly onStartOver: () => void
}

/** The shortest barcodes of the trade have eight digits. */
const scanned = /^\d{8,}$/

const Change = ({ desk }: { readonly desk: Desk }) => {
  const t = useTexts(counterTexts)
  const money = useMoney()
  const change = changeOf(desk)
  return (
    <Group justify="space-between" mih={32} role="status">
      {change !== null && (
        <>
          <Text c={change < 0 ? 'red' : undefined}>{t(change < 0 ? 'short' : 'change')}</Text>
          <Text fw={700} size="lg" c={change < 0 ? 'red' : undefined} data-change>
            {money(Math.abs(change), currencyOf(desk))}
          </Text>
        </>
      )}
    </Group>
  )
}

export const PayPanel = ({ desk, field, onTendered, onScan, onSubmit, onStartOver }: PayPanelProps) => {
  const t = useTexts(counterTexts)
  const money = useMoney()
  const total = money(totalOf(desk), currencyOf(desk))
  const isLocked = desk.submission !== null
  const label = isLocked ? t('submitting') : totalOf(desk) > 0 ? t('charge', { amount: total }) : t('submit')
  const isWrong = tenderedOf(desk) === undefined
  const before = useRef('')
  const write = (text: string) => {
    const isScan = scanned.test(text)
    onTendered(isScan ? before.current : text)
    if (isScan) onScan(text)
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <section className={`surface ${classes.panel}`} aria-label={t('pay')}>
      <form onSubmit={send}>
        <Group justify="space-between" align="baseline">
          <Text fw={600}>{t('total')}</Text>
          <Text className={classes.total} aria-live="polite" aria-busy={desk.lines.some(isPending)} data-total>
            {total}
          </Text>
        </Group>
        <TextInput
          ref={field}
          label={t('tendered')}
          description={t('tenderedHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          inputMode="decimal"
          autoComplete="off"
          mt="xs"
          value={desk.tendered}
          disabled={isLocked || desk.lines.length === 0}
          error={isWrong ? t('notAnAmount') : null}
          rightSection={<Kbd visibleFrom="sm">F4</Kbd>}
          rightSectionWidth={52}
          onChange={event => write(event.currentTarget.value)}
          onFocus={event => {
            before.current = desk.tendered
            event.currentTarget.select()
          }}
        />
        <Change desk={desk} />
        <Button
          type="submit"
          size="lg"
          fullWidth
          loading={isLocked}
          disabled={desk.lines.length === 0}
          rightSection={
            <Box component="span" visibleFrom="sm">
              <Kbd>F8</Kbd>
            </Box>
          }
        >
          {label}
        </Button>
      </form>
      <Button variant="subtle" color="gray" fullWidth mt={6} disabled={isEmpty(desk) || isLocked} onClick={onStartOver}>
        {t('startOver')}
        <Box component="span" visibleFrom="sm" ms={6}>
          <Kbd>F9</Kbd>
        </Box>
      </Button>
    </section>
  )
}
