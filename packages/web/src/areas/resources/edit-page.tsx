import { Alert } from '@mantine/core'
import { isProblem } from '@plinth/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { fetchItem, patchItem, recordPath, type Tagged } from '../../api/records.ts'
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
import { useText } from '../../i18n/dictionary.ts'
import { type Conflict, ConflictModal } from './conflict-modal.tsx'
import { offerUndo } from './undo.tsx'

interface EditFormProps {
  readonly schema: Schema
  /** The record as it was when the form was opened; changes by others are handled when saving. */
  readonly opened: Tagged
}

const EditForm = ({ schema, opened }: EditFormProps) => {
  const t = useText(resourceTexts)
  const navigate = useNavigate()
  const client = useQueryClient()
  const resource = schema.pathFragment
  const { pk } = opened.record
  const [start, setStart] = useState(opened)
  const fields = useMemo(
    () =>
      offeringStates(
        fieldsFor(schema, 'update').filter(({ isLocked }) => !isLocked),
        start.record,
      ),
    [schema, start],
  )
  const initial = useMemo(() => initialValues(fields, start.record), [fields, start])
  const key = useDraftKey(resource, pk)
  const draft = useDraft(key, initial, fields)
  const [otherChange, setOtherChange] = useState<'changed' | 'deleted' | null>(null)
  const [conflict, setConflict] = useState<(Conflict & { readonly current: Tagged }) | null>(null)
  const page = `/resources/${resource}/${encodeURIComponent(pk)}`

  const leave = (saved: Tagged) => {
    forgetDraft(key)
    client.setQueryData(itemKey(resource, pk), saved)
    void client.invalidateQueries({ queryKey: ['rows'] })
    navigate(page, { replace: true })
  }
  const save = useMutation({
    mutationFn: async ({ values, base, etag }: { values: FormValues; base: FormValues; etag: string | null }) => {
      const changes = changedValues(fields, base, values)
      const saved = Object.keys(changes).length === 0 ? null : await patchItem({ resource, pk }, changes, etag)
      return { saved, back: changedValues(fields, values, base) }
    },
    onSuccess: ({ saved, back }) => {
      if (!saved) {
        notify(t('unchanged'))
        return leave(start)
      }
      leave(saved)
      if (!canStepBack(fields, back, saved.record)) return notify(t('saved'))
      const undo = async () => {
        await patchItem({ resource, pk }, back, saved.etag)
        await client.invalidateQueries({ queryKey: itemKey(resource, pk) })
      }
      offerUndo({ path: recordPath(resource, pk), message: t('saved'), undo })
    },
    onError: async error => {
      if (!isProblem(error, 'precondition_failed')) return
      const current = await fetchItem(resource, pk)
      const theirs = initialValues(fields, current.record)
      setConflict({ base: initial, mine: draft.values, theirs, current })
    },
  })
  useItemChanges(resource, pk, ({ type, record }) => {
    if (type === 'deleted') setOtherChange('deleted')
    else if (!save.isPending && record?.version !== start.record.version) setOtherChange('changed')
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
        record={start.record}
        onChange={draft.change}
        error={isConflict && conflict ? null : save.error}
        isPending={save.isPending}
        onSubmit={() => save.mutate({ values: draft.values, base: initial, etag: start.etag })}
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
            save.mutate({ values, base: conflict.theirs, etag: conflict.current.etag })
          }}
        />
      )}
    </>
  )
}

export const EditPage = ({ schema }: { readonly schema: Schema }) => {
  const t = useText(resourceTexts)
  const { pk = '' } = useParams()
  const { data, error, refetch } = useItem(schema.pathFragment, pk)
  const [opened, setOpened] = useState<Tagged | null>(null)
  if (data && !opened) setOpened(data)
  const title = opened ? titleOf(schema, opened.record) : schema.title
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
