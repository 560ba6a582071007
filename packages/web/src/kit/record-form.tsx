// A form for a new record, or for the change of one, from the description of its resource.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { readAllAgain } from '../api/read-again.ts'
import type { Tagged } from '../api/records.ts'
import { plinth } from '../api/records-client.ts'
import { Loading } from '../common/loading.tsx'
import { ProblemAlert } from '../common/problem-alert.tsx'
import { changedValues, initialValues, valuesToSend } from '../common/records/form-values.ts'
import { RecordForm } from '../common/records/record-form.tsx'
import { fieldsFor, useSchema } from '../common/records/schema.ts'
import { offeringStates } from '../common/records/states.ts'
import type { Schema } from '../common/records/ui-schema.ts'
import { useItem } from '../common/records/use-item.ts'
import { useOnceKey } from '../common/records/use-once-key.ts'
import type { FieldWithWidget } from '../common/records/widgets/widget.ts'
import type { AnyRecordFormProps } from './forms.tsx'

/** The fields that the user may write, or those of them that the page names, in its order. */
const chosenFields = (schema: Schema, { pk, fields: names }: AnyRecordFormProps): readonly FieldWithWidget[] => {
  const writable = fieldsFor(schema, pk === undefined ? 'create' : 'update').filter(({ isLocked }) => !isLocked)
  return names ? names.flatMap(name => writable.find(field => field.name === name) ?? []) : writable
}

interface FormProps {
  readonly form: AnyRecordFormProps
  readonly schema: Schema
  /** The record to change; null for a new one. */
  readonly opened: Tagged | null
}

const FormOf = ({ form, schema, opened }: FormProps) => {
  const { resource, values: own, submit, onSaved, onCancel } = form
  const queries = useQueryClient()
  const [start] = useState(opened)
  const record = start?.record ?? null
  const fields = useMemo(() => offeringStates(chosenFields(schema, form), record), [schema, form, record])
  const initial = initialValues(fields, record)
  const [values, setValues] = useState(initial)
  const keyOf = useOnceKey()
  const save = useMutation({
    mutationFn: () => {
      const records = plinth.resource(resource)
      if (record)
        return records.update(
          record.pk,
          { ...own, ...changedValues(fields, initial, values) },
          { ifMatch: start?.etag },
        )
      const body = { ...own, ...valuesToSend(fields, values) }
      return records.create(body, { idempotencyKey: keyOf(body) })
    },
    onSuccess: async saved => {
      if (!record) setValues(initial)
      await readAllAgain(queries)
      onSaved(saved)
    },
  })
  return (
    <RecordForm
      fields={fields}
      values={values}
      checks={schema.checks}
      record={record}
      onChange={setValues}
      error={save.error}
      isPending={save.isPending}
      onSubmit={() => save.mutate()}
      submit={submit}
      onCancel={onCancel}
    />
  )
}

const FormOfRecord = ({ form, schema, pk }: Omit<FormProps, 'opened'> & { readonly pk: string }) => {
  const { data, error, refetch } = useItem(form.resource, pk)
  if (data) return <FormOf key={pk} form={form} schema={schema} opened={data} />
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
