// What is done with several records: the form and the question once, then the progress, then what became of each record.

import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { ApiProblem, newKey } from '@plinth/client'
import { useEffect, useRef, useState } from 'react'
import { placeOf } from '../../../api/problem.ts'
import { ActionForm } from '../../../common/actions/action-form.tsx'
import type { Result } from '../../../common/actions/action-result.tsx'
import { Dialog } from '../../../common/dialog.tsx'
import { commonTexts } from '../../../common/dictionary.ts'
import { notify } from '../../../common/notify.ts'
import { initialValues, valuesToSend } from '../../../common/records/form-values.ts'
import type { FieldWithWidget } from '../../../common/records/widgets/widget.ts'
import { endWork, noteWork } from '../../../common/work.ts'
import { useText } from '../../../i18n/dictionary.ts'
import { BulkResults } from './bulk-results.tsx'
import { bulkTexts } from './dictionary.ts'
import { type BulkOutcome, nothingDone, runBulk } from './run-bulk.ts'
import type { SelectedRecord } from './use-selection.ts'

/** One call of a record. The key is the same at each try. */
export interface BulkCall {
  readonly record: SelectedRecord
  readonly body: object | null
  readonly idempotencyKey: string
}

export interface BulkTask {
  readonly title: string
  /** The words on the button. */
  readonly submit: string
  /** What is said above the fields, a sentence each. */
  readonly about: readonly string[]
  readonly fields: readonly FieldWithWidget[]
  readonly records: readonly SelectedRecord[]
  /** How many selected records are left out. */
  readonly skipped: number
  readonly isDestructive: boolean
  readonly call: (call: BulkCall) => Promise<Result | null>
  /** Is called when all records are done, and none has a result to show. */
  readonly onSuccess: (done: readonly SelectedRecord[]) => void
}

interface BulkDialogProps {
  readonly task: BulkTask
  /** Is called after each run, which may be one of several. */
  readonly onRun: (outcome: BulkOutcome) => void
  readonly onClose: () => void
}

type Phase =
  | { readonly kind: 'form'; readonly error: unknown }
  | { readonly kind: 'running'; readonly count: number; readonly of: number }
  | { readonly kind: 'ended'; readonly outcome: BulkOutcome }

/** Faults in the values of the form, which every other record would have as well. */
const isAboutForm = (error: unknown, fields: readonly FieldWithWidget[]): boolean =>
  error instanceof ApiProblem && error.faults.some(fault => fields.some(({ name }) => name === placeOf(fault)[0]))

const useBulkRun = ({ task, onRun, onClose }: BulkDialogProps) => {
  const t = useText(bulkTexts)
  const [phase, setPhase] = useState<Phase>({ kind: 'form', error: null })
  const controller = useRef<AbortController | null>(null)
  const keys = useRef(new Map<string, string>())
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
      controller.current?.abort()
    }
  }, [])
  const keyOf = ({ pk }: SelectedRecord): string => {
    const key = keys.current.get(pk) ?? newKey()
    keys.current.set(pk, key)
    return key
  }
  const cancel = () => controller.current?.abort()
  const run = async (body: object | null, before: BulkOutcome): Promise<void> => {
    const records =
      before === nothingDone ? task.records : [...before.failures.map(({ record }) => record), ...before.left]
    controller.current = new AbortController()
    const showProgress = (count: number) => {
      const status = t('progress', { done: count, of: records.length })
      noteWork('bulk', { title: task.title, status, page: location.pathname.replace('/client', ''), cancel })
      setPhase({ kind: 'running', count, of: records.length })
    }
    showProgress(0)
    const outcome = await runBulk(records, before, {
      call: record => task.call({ record, body, idempotencyKey: keyOf(record) }),
      stopsAtFirst: error => isAboutForm(error, task.fields),
      onProgress: showProgress,
      signal: controller.current.signal,
    })
    endWork('bulk')
    onRun(outcome)
    // The user has left the page: nothing more was begun.
    if (isGone.current) return notify(t('doneOf', { title: task.title, count: outcome.done.length }))
    const [failure] = outcome.failures
    if (failure && outcome.done.length === 0 && isAboutForm(failure.error, task.fields))
      return setPhase({ kind: 'form', error: failure.error })
    if (outcome.failures.length + outcome.left.length + outcome.results.length === 0) {
      task.onSuccess(outcome.done)
      return onClose()
    }
    setPhase({ kind: 'ended', outcome })
  }
  return { phase, run, cancel }
}

export const BulkDialog = (props: BulkDialogProps) => {
  const { task, onClose } = props
  const { title, submit, about, fields, skipped, isDestructive } = task
  const t = useText(bulkTexts)
  const common = useText(commonTexts)
  const [values, setValues] = useState(() => initialValues(fields, null))
  const { phase, run, cancel } = useBulkRun(props)
  const isRunning = phase.kind === 'running'
  const start = (before: BulkOutcome) => void run(fields.length === 0 ? null : valuesToSend(fields, values), before)
  return (
    <Dialog
      opened
      onClose={isRunning ? cancel : onClose}
      closeOnClickOutside={!isRunning}
      title={title}
      closeButtonProps={{ 'aria-label': common(isRunning ? 'cancel' : 'close') }}
    >
      {phase.kind === 'form' && (
        <ActionForm
          fields={fields}
          values={values}
          onChange={setValues}
          error={phase.error}
          submit={submit}
          isDestructive={isDestructive}
          onSubmit={() => start(nothingDone)}
          onCancel={onClose}
        >
          {about.map(sentence => (
            <Text key={sentence} size="sm">
              {sentence}
            </Text>
          ))}
          {skipped > 0 && (
            <Text size="sm" c="dimmed">
              {t('skipped', { count: skipped })}
            </Text>
          )}
        </ActionForm>
      )}
      {isRunning && (
        <Stack>
          <Progress value={(100 * phase.count) / phase.of} aria-label={title} />
          <Text role="status">{t('progress', { done: phase.count, of: phase.of })}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={cancel} autoFocus>
              {common('cancel')}
            </Button>
          </Group>
        </Stack>
      )}
      {phase.kind === 'ended' && (
        <BulkResults outcome={phase.outcome} onRetry={() => start(phase.outcome)} onClose={onClose} />
      )}
    </Dialog>
  )
}
