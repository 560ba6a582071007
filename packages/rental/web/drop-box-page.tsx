// The drop box: copies that were returned outside opening hours.

import { ActionIcon, Alert, Button, Group, Kbd, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Empty, ProblemAlert, useTexts } from '@plinth/web'
import { IconCircleCheck, IconInbox, IconPrinter, IconTrash } from '@tabler/icons-react'
import classes from './counter.module.css'
import { counterTexts } from './dictionary.ts'
import { sumOf, useMoney } from './money.ts'
import { NoticeLine } from './notice.tsx'
import { usePriceExplained } from './price-explained.ts'
import { Receipt } from './receipt.tsx'
import { type RowColumn, RowTable } from './row-table.tsx'
import { ScanBox } from './scan-box.tsx'
import { useScanField } from './scan-keys.ts'
import { Shortcuts, useFunctionKeys } from './shortcuts.tsx'
import { type Dropped, type EmptiedBox, useDropBox } from './use-drop-box.ts'

interface DroppedListProps {
  readonly lines: readonly Dropped[]
  readonly isLocked: boolean
  readonly onRemove: (copy: string) => void
}

const DroppedList = ({ lines, isLocked, onRemove }: DroppedListProps) => {
  const t = useTexts(counterTexts)
  const money = useMoney()
  const explain = usePriceExplained()
  const columns: RowColumn<Dropped>[] = [
    {
      label: t('film'),
      cell: ({ order, isFaulty }) => (
        <div>
          <Text size="sm" fw={600}>
            {order.filmTitle}
          </Text>
          <Text size="xs" c={isFaulty ? 'red' : 'dimmed'}>
            {isFaulty ? t('faultNotRented') : `${order.barcode ?? order.inventoryId} · ${explain(order)}`}
          </Text>
        </div>
      ),
    },
    { label: t('renter'), cell: ({ order }) => order.customer?.username ?? '–' },
    { label: t('fee'), isNumber: true, cell: ({ order }) => money(order.cost, order.currency) },
    {
      label: t('actions'),
      isNumber: true,
      cell: ({ order }) => (
        <ActionIcon
          variant="subtle"
          color="gray"
          disabled={isLocked}
          onClick={() => onRemove(order.inventoryId)}
          aria-label={t('removeLine', { title: order.filmTitle })}
        >
          <IconTrash size={18} aria-hidden />
        </ActionIcon>
      ),
    },
  ]
  return <RowTable label={t('lines')} columns={columns} rows={lines} keyOf={({ order }) => order.inventoryId} />
}

const Emptied = ({ done, onNext }: { readonly done: EmptiedBox; readonly onNext: () => void }) => {
  const t = useTexts(counterTexts)
  const money = useMoney()
  return (
    <section className={`surface ${classes.panel}`} data-done>
      <div className="no-print">
        <Group gap="xs" role="status">
          <IconCircleCheck size={32} color="var(--mantine-color-teal-text)" aria-hidden />
          <Text fw={700} size="lg">
            {t('dropBoxDone', { count: done.count })}
          </Text>
          <Text c="dimmed">
            {done.owed > 0 ? t('owedNow', { amount: money(done.owed, done.currency) }) : t('nothingOwed')}
          </Text>
        </Group>
        <Group mt="sm" gap="xs">
          <Button leftSection={<IconPrinter size={18} aria-hidden />} onClick={() => window.print()}>
            {t('print')}
          </Button>
          <Button variant="default" onClick={onNext}>
            {t('nextBox')}
          </Button>
        </Group>
      </div>
      <Receipt pk={done.receipt} />
    </section>
  )
}

const DropBoxPage = () => {
  const t = useTexts(counterTexts)
  const money = useMoney()
  const work = useDropBox()
  const scan = useScanField()
  const [helps, { open: help, close: closeHelp }] = useDisclosure(false)
  const { lines, submission, done } = work.box
  const isLocked = submission !== null
  const startOver = () => {
    work.startOver()
    scan.focus()
  }
  useFunctionKeys({ F2: scan.focus, F8: work.submit, F9: startOver })
  const currency = lines[0]?.order.currency
  const fees = sumOf(
    lines.map(({ order }) => order.cost),
    currency ?? 'EUR',
  )
  return (
    <>
      <div className="no-print">
        <Text c="dimmed" size="sm" mb="sm">
          {t('dropBoxText')}
        </Text>
        <ScanBox
          field={scan}
          label={t('scanCopyLabel')}
          hint={t('scanCopyHint')}
          isBusy={work.isBusy}
          onScan={work.scan}
          onHelp={help}
        />
        <NoticeLine notice={work.notice} />
        {isLocked && work.problem ? (
          <Alert color="red" title={t('unknownOutcome')} mb="sm">
            {t('unknownOutcomeText')}
          </Alert>
        ) : null}
        <ProblemAlert
          error={work.problem}
          fieldsWithErrors={new Set(['items'])}
          {...(isLocked && { onRetry: work.resend })}
        />
      </div>
      {done ? (
        <Emptied done={done} onNext={startOver} />
      ) : (
        <section className={`surface ${classes.lines} no-print`}>
          {lines.length === 0 ? (
            <Empty icon={IconInbox} title={t('dropBoxEmptyTitle')} text={t('dropBoxEmptyText')} />
          ) : (
            <>
              <DroppedList lines={lines} isLocked={isLocked} onRemove={work.remove} />
              <Group justify="space-between" className={classes.panel}>
                <Text fw={600}>{t('owedNow', { amount: money(fees, currency) })}</Text>
                <Button loading={isLocked} onClick={work.submit} rightSection={<Kbd visibleFrom="sm">F8</Kbd>}>
                  {t('returnAll', { count: lines.length })}
                </Button>
              </Group>
            </>
          )}
        </section>
      )}
      <Shortcuts opened={helps} onClose={closeHelp} />
    </>
  )
}

export default DropBoxPage
