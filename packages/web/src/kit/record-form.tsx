// A form for a new record, or for the change of one, from the description of its resource.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { readAllAgain } from '../api/read-again.ts'
import { type Item, recordsOf } from '../api/records.ts'
import { Loading } from '../common/loading.tsx'
import { ProblemAlert } from '../common/problem-alert.tsx'
import { DraftNotice } from '../common/records/draft-notice.tsx'
import { changedValues, initialValues, valuesToSend } from '../common/records/form-values.ts'
import { RecordForm } from '../common/records/record-form.tsx'
import { fieldsFor, useSchema } from '../common/records/schema.ts'
import { offeringStates } from '../common/records/states.ts'
import type { Schema } from '../common/records/ui-schema.ts'
import { forgetDraft, useDraft, useDraftKey } from '../common/records/use-draft.ts'
import { useItem } from '../common/records/use-item.ts'
import { useOnceKey } from '../common/records/use-once-key.ts'
import { useSendProgress } from '../common/records/use-send-progress.ts'
import type { FieldWithWidget } from '../common/records/widgets/widget.ts'
import type { AnyRecordFormProps } from './forms.tsx'

/** The fields that the user may write, or those of them that the page names, in its order. */
const chosenFields = (
  schema: Schema,
  { pk, fields: names, except = [] }: AnyRecordFormProps,
): readonly FieldWithWidget[] => {
  const writable = fieldsFor(schema, pk === undefined ? 'create' : 'update').filter(
    ({ name, isLocked }) => !isLocked && !except.includes(name),
  )
  return names ? names.flatMap(name => writable.find(field => field.name === name) ?? []) : writable
}

interface FormProps {
  readonly form: AnyRecordFormProps
  readonly schema: Schema
  /** The record to change; null for a new one. */
  readonly opened: Item | null
}

const FormOf = ({ form, schema, opened }: FormProps) => {
  const { resource, values: own, draft: draftName, submit, onSaved, onCancel } = form
  const queries = useQueryClient()
  const [record, setRecord] = useState(opened)
  const fields = useMemo(() => offeringStates(chosenFields(schema, form), record), [schema, form, record])
  const initial = useMemo(() => initialValues(fields, record), [fields, record])
  const namedKey = useDraftKey(draftName ?? '', record?.pk)
  const draftKey = draftName === undefined ? null : namedKey
  const draft = useDraft(draftKey, initial, fields)
  const { values, change } = draft
  const keyOf = useOnceKey()
  const progress = useSendProgress()
  const save = useMutation({
    mutationFn: () => {
      const records = recordsOf(resource)
      const { onProgress } = progress
      if (record) return records.update(record, { ...own, ...changedValues(fields, initial, values) }, { onProgress })
      const body = { ...own, ...valuesToSend(fields, values) }
      return records.create(body, { idempotencyKey: keyOf({ ...own, ...values }), onProgress })
    },
    onSuccess: async saved => {
      forgetDraft(draftKey)
      change(record ? initialValues(fields, saved) : initial)
      if (record) setRecord(saved)
      await readAllAgain(queries)
      await onSaved(saved)
    },
  })
  return (
    <>
      <DraftNotice draft={draft} />
      <RecordForm
        fields={fields}
        values={values}
        checks={schema.checks}
        record={record}
        onChange={change}
        error={save.error}
        isPending={save.isPending}
        percentSent={progress.percent}
        onSubmit={() => save.mutate()}
        submit={submit}
        onCancel={onCancel}
      />
    </>
  )
}

const FormOfRecord = ({ form, schema, pk }: Omit<FormProps, 'opened'> & { readonly pk: string }) => {
  const { data, error, refetch } = useItem(form.resource, pk)
  // A draft outlives the form, which can begin again with the newest version.
  const key = form.draft === undefined ? pk : `${pk} ${data?.version}`
  if (data) return <FormOf key={key} form={form} schema={schema} opened={data} />
  return error ? <ProblemAlert error={error} onRetry={() => void refetch()} /> : <Loading />
}

const RecordFormOfResource = (form: AnyRecordFormProps) => {
  const { data: schema, error, refetch } = useSchema(form.resource)
  if (!schema) return error ? <ProblemAlert error={error} onRetry={() => void refetch()} /> : <Loading />
  return form.pk === undefined ? (
    <FormOf form={form} schema={schema} opened={null} />
  ) : (
    <FormOfRecord form={form} schema={schema} pk={form.pk} />
  )
}

export default RecordFormOfResource
