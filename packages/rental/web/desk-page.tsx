// The desk: one box, the lines, the customer, and the payment.

import { Stack, Title, VisuallyHidden } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Empty, useTexts } from '@plinth/web'
import { IconBarcode } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useSearchParams } from 'react-router'
import classes from './counter.module.css'
import { CustomerPanel } from './customer-panel.tsx'
import { counterTexts } from './dictionary.ts'
import { DonePanel } from './done-panel.tsx'
import { LineRow } from './line-row.tsx'
import { NoticeLine } from './notice.tsx'
import { PayPanel } from './pay-panel.tsx'
import { Questions } from './questions.tsx'
import { ScanBox } from './scan-box.tsx'
import { type ScanField, useScanField } from './scan-keys.ts'
import { Shortcuts, useFunctionKeys } from './shortcuts.tsx'
import { type DeskWork, useDesk } from './use-desk.ts'

const Lines = ({ work, scan }: { readonly work: DeskWork; readonly scan: ScanField }) => {
  const t = useTexts(counterTexts)
  const { desk } = work
  if (desk.lines.length === 0) return <Empty icon={IconBarcode} title={t('emptyTitle')} text={t('emptyText')} />
  return (
    <ul className={classes.plain}>
      {desk.lines.map(line => {
        const copy = line.order.inventoryId
        return (
          <LineRow
            key={copy}
            line={line}
            isLocked={desk.submission !== null}
            customer={desk.customer?.pk ?? null}
            onDays={days => work.setDays(copy, days)}
            onCondition={condition => work.setCondition(copy, condition)}
            onRemove={() => {
              work.remove(copy)
              scan.focus()
            }}
            onServe={work.scan}
            onScan={scan.takeOver}
            onDone={scan.focus}
          />
        )
      })}
    </ul>
  )
}

/** Links from other views bring a customer or a copy along. */
const useScanOfLink = (scan: (code: string) => void) => {
  const [search, setSearch] = useSearchParams()
  const code = search.get('scan')
  const take = useEffectEvent(() => {
    if (code === null) return
    setSearch({}, { replace: true })
    scan(code)
  })
  useEffect(() => take(), [])
}

const DeskPage = () => {
  const t = useTexts(counterTexts)
  const work = useDesk()
  const scan = useScanField()
  const tendered = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const questions = useRef<HTMLDivElement>(null)
  const [helps, { open: help, close: closeHelp }] = useDisclosure(false)
  const { desk } = work
  const startOver = () => {
    work.startOver()
    scan.focus()
  }
  const submit = () => {
    work.submit()
    scan.focus()
  }
  const toTendered = () => tendered.current?.focus()
  useFunctionKeys({ F2: scan.focus, F4: toTendered, F8: submit, F9: startOver })
  useScanOfLink(work.scan)
  const toDays = () => [...(list.current?.querySelectorAll<HTMLInputElement>('[data-days]') ?? [])].at(-1)?.focus()
  const toQuestion = () => questions.current?.querySelector('button')?.focus()
  return (
    <div className={classes.desk}>
      <div className={classes.work}>
        <div className="no-print">
          <ScanBox
            field={scan}
            label={t('scanLabel')}
            hint={t('scanHint')}
            isBusy={work.isBusy}
            onScan={work.scan}
            onHelp={help}
            onUp={toDays}
            onDown={toQuestion}
          />
          <NoticeLine notice={work.notice} />
          <div ref={questions}>
            <Questions {...work} />
          </div>
        </div>
        {desk.done ? (
          <DonePanel done={desk.done} onNext={startOver} />
        ) : (
          <section className={`surface ${classes.lines} no-print`} ref={list}>
            <VisuallyHidden>
              <Title order={2}>{t('lines')}</Title>
            </VisuallyHidden>
            <Lines work={work} scan={scan} />
          </section>
        )}
      </div>
      <Stack gap="sm" className={`${classes.side} no-print`}>
        <CustomerPanel
          customer={desk.customer}
          isLocked={desk.submission !== null}
          onReturn={code => {
            work.scan(code)
            scan.focus()
          }}
          onRemove={work.dismiss}
        />
        {!desk.done && (
          <PayPanel
            desk={desk}
            field={tendered}
            onTendered={work.setTendered}
            onScan={scan.takeOver}
            onSubmit={submit}
            onStartOver={startOver}
          />
        )}
      </Stack>
      <Shortcuts opened={helps} onClose={closeHelp} />
    </div>
  )
}

export default DeskPage
