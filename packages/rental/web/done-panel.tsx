// What came of the last submission, until the next scan.

import { Button, Group, Text } from '@mantine/core'
import { useTexts } from '@plinth/web'
import { IconCircleCheck, IconPrinter } from '@tabler/icons-react'
import { Link } from 'react-router'
import classes from './counter.module.css'
import type { CompletedOrder } from './desk.ts'
import { counterTexts } from './dictionary.ts'
import { sumOf, useMoney } from './money.ts'
import { Receipt } from './receipt.tsx'

interface DonePanelProps {
  readonly done: CompletedOrder
  readonly onNext: () => void
}

export const DonePanel = ({ done, onNext }: DonePanelProps) => {
  const t = useTexts(counterTexts)
  const money = useMoney()
  const { total, tendered, currency } = done
  const change = tendered === null ? null : sumOf([tendered, -total], currency)
  return (
    <section className={`surface ${classes.panel}`} data-done>
      <div className="no-print">
        <Group gap="xs">
          <IconCircleCheck size={32} color="var(--mantine-color-teal-text)" aria-hidden />
          <Text className={classes.total}>{money(total, currency)}</Text>
          <Text c="dimmed">
            {[done.customer, done.points > 0 ? t('earned', { count: done.points }) : null].filter(Boolean).join(' · ')}
          </Text>
        </Group>
        {change !== null && (
          <Text size="xl" mt={4}>
            {t('change')} <b>{money(change, currency)}</b>
          </Text>
        )}
        <Group mt="sm" gap="xs">
          <Button leftSection={<IconPrinter size={18} aria-hidden />} onClick={() => window.print()}>
            {t('print')}
          </Button>
          <Button variant="default" onClick={onNext}>
            {t('nextCustomer')}
          </Button>
          <Button variant="subtle" component={Link} to={`/counter/receipts/${done.receipt}`}>
            {t('openReceipt')}
          </Button>
        </Group>
      </div>
      <Receipt pk={done.receipt} />
    </section>
  )
}
