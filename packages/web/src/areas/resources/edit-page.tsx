import { Alert } from '@mantine/core'
import { isProblem } from '@plinth/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useParams } from 'react-router'
import { type Item, recordPath, recordsOf } from '../../api/records.ts'
import { Loading } from '../../common/loading.tsx'
import { notify } from '../../common/notify.ts'
import { PageHeader } from '../../common/page-header.tsx'
import { ProblemAlert } from '../../common/problem-alert.tsx'
import { resourceTexts } from '../../common/records/dictionary.ts'
import { DraftNotice } from '../../common/records/draft-notice.tsx'
import { changedValues, type FormValues, initialValues } from '../../common/records/form-values.ts'
import { RecordForm } from '../../common/records/record-form.tsx'
import { fieldsFor, titleOf } from '../../common/records/schema.ts'
import { canStepBack, offeringStates } from '../../common/records/states.ts'
import type { Schema } from '../../common/records/ui-schema.ts'
import { forgetDraft, useDraft, useDraftKey } from '../../common/records/use-draft.ts'
import { itemKey, useItem, useItemChanges } from '../../common/records/use-item.ts'
import { useSendProgress } from '../../common/records/use-send-progress.ts'
import { useNavigateLater } from '../../common/use-navigate-later.ts'
import { useText } from '../../i18n/dictionary.ts'
import { type Conflict, ConflictModal } from './conflict-modal.tsx'
import { offerUndo } from './undo.tsx'

interface EditFormProps {
  readonly schema: Schema
  /** The record as it was when the form was opened; changes by others are handled when saving. */
  readonly opened: Item
}

const EditForm = ({ schema, opened }: EditFormProps) => {
  const t = useText(resourceTexts)
  const navigate = useNavigateLater()
  const client = useQueryClient()
  const resource = schema.pathFragment
  const { pk } = opened
  const records = recordsOf(resource)
  const [start, setStart] = useState(opened)
  const fields = useMemo(
    () =>
      offeringStates(
        fieldsFor(schema, 'update').filter(({ isLocked }) => !isLocked),
        start,
      ),
    [schema, start],
  )
  const initial = useMemo(() => initialValues(fields, start), [fields, start])
  const key = useDraftKey(resource, pk)
  const draft = useDraft(key, initial, fields)
  const [otherChange, setOtherChange] = useState<'changed' | 'deleted' | null>(null)
  const [conflict, setConflict] = useState<(Conflict & { readonly current: Item }) | null>(null)
  const page = `/resources/${resource}/${encodeURIComponent(pk)}`

  const leave = (saved: Item) => {
    forgetDraft(key)
    client.setQueryData(itemKey(resource, pk), saved)
    void client.invalidateQueries({ queryKey: ['rows'] })
    navigate(page, { replace: true })
  }
  const progress = useSendProgress()
  const { onProgress } = progress
  const save = useMutation({
    mutationFn: async ({ values, base, record }: { values: FormValues; base: FormValues; record: Item }) => {
      const changes = changedValues(fields, base, values)
      const saved = Object.keys(changes).length === 0 ? record : await records.update(record, changes, { onProgress })
      return { saved, isChanged: saved.version !== record.version, back: changedValues(fields, values, base) }
    },
    onSuccess: ({ saved, isChanged, back }) => {
      leave(saved)
      if (!isChanged) return notify(t('unchanged'))
      if (!canStepBack(fields, back, saved)) return notify(t('saved'))
      const undo = async () => {
        await records.update(saved, back)
        await client.invalidateQueries({ queryKey: itemKey(resource, pk) })
      }
      offerUndo({ path: recordPath(resource, pk), message: t('saved'), undo })
    },
    onError: async error => {
      if (!isProblem(error, 'precondition_failed')) return
      const current = await records.get(pk)
      const theirs = initialValues(fields, current)
      setConflict({ base: initial, mine: draft.values, theirs, current })
    },
  })
  useItemChanges(resource, pk, ({ type, record }) => {
    if (type === 'deleted') setOtherChange('deleted')
    else if (!save.isPending && record?.version !== start.version) setOtherChange('changed')
  })
  const isConflict = isProblem(save.error, 'precondition_failed')
  return (
    <>
      <DraftNotice draft={draft} />
      {otherChange && !save.isSuccess && (
        <Alert role="status" color="yellow" mb="md">
          {t(otherChange === 'changed' ? 'changedByOther' : 'deletedByOther')}
        </Alert>
      )}
      <RecordForm
        fields={fields}
        values={draft.values}
        checks={schema.checks}
        record={start}
        onChange={draft.change}
        error={isConflict && conflict ? null : save.error}
        isPending={save.isPending}
        percentSent={progress.percent}
        onSubmit={() => save.mutate({ values: draft.values, base: initial, record: start })}
        cancel={{ to: page }}
      />
      {conflict && (
        <ConflictModal
          fields={fields}
          conflict={conflict}
          onClose={() => setConflict(null)}
          onDrop={() => leave(conflict.current)}
          onMerge={values => {
            setConflict(null)
            setStart(conflict.current)
            draft.change(values)
            save.mutate({ values, base: conflict.theirs, record: conflict.current })
          }}
        />
      )}
    </>
  )
}

/** The form of one record is not that of the next one. */
export const EditPage = ({ schema }: { readonly schema: Schema }) => {
  const { pk = '' } = useParams()
  return <OpenedRecord key={pk} schema={schema} pk={pk} />
}

const OpenedRecord = ({ schema, pk }: { readonly schema: Schema; readonly pk: string }) => {
  const t = useText(resourceTexts)
  const { data, error, refetch } = useItem(schema.pathFragment, pk)
  const [opened, setOpened] = useState<Item | null>(null)
  if (data && !opened) setOpened(data)
  const title = opened ? titleOf(schema, opened) : schema.title
  const to = `/resources/${schema.pathFragment}/${encodeURIComponent(pk)}`
  return (
    <>
      <PageHeader title={t('editOf', { title })} parent={{ to, label: title }} />
      {opened ? (
        <EditForm schema={schema} opened={opened} />
      ) : error ? (
        <ProblemAlert error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading />
      )}
    </>
  )
}
