// What can be done with the selected records of a list: the endpoints that say so, and to delete them.

import { ActionIcon, Button, Group, Paper, Text } from '@mantine/core'
import { IconTrash, IconX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { readAllAgain } from '../../../api/read-again.ts'
import { recordPath, recordsOf } from '../../../api/records.ts'
import { callAction } from '../../../common/actions/call-action.ts'
import { type ActionWithForm, lookOf } from '../../../common/actions/use-actions.ts'
import { commonTexts } from '../../../common/dictionary.ts'
import { notify } from '../../../common/notify.ts'
import { resourceTexts } from '../../../common/records/dictionary.ts'
import type { Schema } from '../../../common/records/ui-schema.ts'
import { useText } from '../../../i18n/dictionary.ts'
import { offerUndo } from '../undo.tsx'
import classes from './bulk-bar.module.css'
import { BulkDialog, type BulkTask } from './bulk-dialog.tsx'
import { bulkTexts } from './dictionary.ts'
import { usePossibleRecords } from './use-possible-records.ts'
import { mostSelected, type RowSelection, type SelectedRecord } from './use-selection.ts'

interface BulkBarProps {
  readonly schema: Schema
  readonly actions: readonly ActionWithForm[]
  readonly selection: RowSelection
  readonly total: number | null
  /** Opens the dialog of a task. */
  readonly onStart: (task: BulkTask) => void
}

const useDeletion = ({ pathFragment: resource, rights }: Schema) => {
  const t = useText(bulkTexts)
  const texts = useText(resourceTexts)
  const common = useText(commonTexts)
  return (records: readonly SelectedRecord[]): BulkTask => ({
    title: t('deleteQuestion', { count: records.length }),
    submit: common('delete'),
    about: [rights.trash ? t('deleteToTrash') : texts('deleteForGood')],
    ...{ fields: [], records, skipped: 0, isDestructive: true },
    call: async ({ record: { pk } }) => {
      await recordsOf(resource).remove(pk)
      return null
    },
    onSuccess: done => {
      const message = t('deleted', { count: done.length })
      if (!rights.trash) return notify(message)
      const restore = async () => {
        for (const { pk } of done) await recordsOf(resource).restore(pk)
      }
      offerUndo({ path: recordPath(resource), message, undo: restore })
    },
  })
}

export const BulkBar = ({ schema, actions, selection, total, onStart }: BulkBarProps) => {
  const t = useText(bulkTexts)
  const common = useText(commonTexts)
  const records = [...selection.records.values()]
  const possible = usePossibleRecords(actions, { resource: schema.pathFragment, records })
  const deletionOf = useDeletion(schema)
  const start = (action: ActionWithForm, chosen: readonly SelectedRecord[]) => {
    const { title, confirm = action.about, fields, isDestructive } = action
    onStart({
      ...{ title, submit: title, fields, records: chosen, isDestructive },
      about: [...(confirm === undefined ? [] : [confirm]), t('applies', { count: chosen.length })],
      skipped: records.length - chosen.length,
      call: ({ record, body, idempotencyKey }) => callAction(action, { pk: record.pk, body, idempotencyKey }),
      onSuccess: done => notify(t('doneOf', { title, count: done.length })),
    })
  }
  const canSelectMore = total !== null && records.length < Math.min(total, mostSelected)
  return (
    <Paper component="section" aria-label={t('selection')} className={classes.bar} withBorder shadow="md" p="xs">
      <Group gap="xs">
        <ActionIcon variant="subtle" color="gray" aria-label={t('clear')} title={t('clear')} onClick={selection.clear}>
          <IconX size={18} aria-hidden />
        </ActionIcon>
        <Text size="sm" role="status" fw={600}>
          {t('selected', { count: records.length })}
        </Text>
        {canSelectMore && (
          <Button size="compact-sm" variant="subtle" onClick={() => selection.selectAll(total)}>
            {total > mostSelected ? t('selectFirst', { count: mostSelected }) : t('selectAll', { count: total })}
          </Button>
        )}
        <Group gap="xs" ms="auto">
          {actions.map(action => {
            const chosen = possible(action)
            const isSome = chosen !== null && chosen.length > 0 && chosen.length < records.length
            return (
              <Button
                key={action.id}
                size="sm"
                {...lookOf(action)}
                disabled={chosen === null || chosen.length === 0}
                title={chosen?.length === 0 ? (action.unavailable ?? t('unavailable')) : action.about}
                onClick={() => chosen && start(action, chosen)}
              >
                {isSome ? t('forSome', { title: action.title, count: chosen.length }) : action.title}
              </Button>
            )
          })}
          {schema.rights.delete && (
            <Button
              size="sm"
              variant="light"
              color="red"
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={() => onStart(deletionOf(records))}
            >
              {common('delete')}
            </Button>
          )}
        </Group>
      </Group>
    </Paper>
  )
}

type BulkActionsProps = Omit<BulkBarProps, 'onStart'> & {
  /** Takes the focus when the dialog closes: the button that opened it may be gone. */
  readonly takeFocus: () => void
}

export const BulkActions = ({ takeFocus, ...bar }: BulkActionsProps) => {
  const client = useQueryClient()
  const [task, setTask] = useState<BulkTask | null>(null)
  const close = () => {
    setTask(null)
    takeFocus()
  }
  return (
    <>
      {bar.selection.records.size > 0 && <BulkBar {...bar} onStart={setTask} />}
      {task && (
        <BulkDialog
          task={task}
          onRun={({ done }) => {
            bar.selection.remove(done)
            void readAllAgain(client)
          }}
          onClose={close}
        />
      )}
    </>
  )
}
