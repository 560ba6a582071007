// A form for the body of an endpoint, from its declaration.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { get } from '../api/client.ts'
import { readAllAgain } from '../api/read-again.ts'
import { plinth } from '../api/records.ts'
import { ActionForm } from '../common/actions/action-form.tsx'
import { Loading } from '../common/loading.tsx'
import { ProblemAlert } from '../common/problem-alert.tsx'
import { initialValues, valuesToSend } from '../common/records/form-values.ts'
import { toFieldUse } from '../common/records/schema.ts'
import type { UiField } from '../common/records/ui-schema.ts'
import { useOnceKey } from '../common/records/use-once-key.ts'
import { useLanguage } from '../i18n/language.ts'
import { useSession } from '../session/session.tsx'
import type { AnyEndpointFormProps } from './forms.tsx'

interface FormDocument {
  readonly title: string
  readonly fields: Readonly<Record<string, UiField>>
}

const FormOf = ({ form, described }: { readonly form: AnyEndpointFormProps; readonly described: FormDocument }) => {
  const { route, params = {}, values: own = {}, submit, onDone, onCancel } = form
  const queries = useQueryClient()
  const fields = Object.entries(described.fields).flatMap(([name, field]) =>
    Object.hasOwn(own, name) ? [] : [toFieldUse(name, field)],
  )
  const [values, setValues] = useState(() => initialValues(fields, null))
  const keyOf = useOnceKey()
  const send = useMutation({
    mutationFn: () => {
      const entered = { ...own, ...valuesToSend(fields, values) }
      if (route.startsWith('GET ')) return plinth.call(route, { params, query: entered })
      const hasBody = Object.keys({ ...own, ...described.fields }).length > 0
      const idempotencyKey = keyOf({ params, entered })
      return plinth.call(route, { params, ...(hasBody && { body: entered }), idempotencyKey })
    },
    onSuccess: async answer => {
      setValues(initialValues(fields, null))
      await readAllAgain(queries)
      onDone(answer)
    },
  })
  return (
    <ActionForm
      fields={fields}
      values={values}
      onChange={setValues}
      error={send.error}
      isPending={send.isPending}
      submit={submit ?? described.title}
      onSubmit={() => send.mutate()}
      onCancel={onCancel}
    />
  )
}

const EndpointFormOfRoute = (form: AnyEndpointFormProps) => {
  const { route } = form
  const { user } = useSession()
  const { data, error, refetch } = useQuery({
    // Who may call it depends on the user, and its words on the language.
    queryKey: ['schema', 'endpoint', route, user?.pk ?? null, useLanguage()],
    queryFn: ({ signal }) => get<FormDocument>('/api/forms', { query: { endpoint: route }, signal }),
    staleTime: 300_000,
    retry: false,
  })
  if (data) return <FormOf key={route} form={form} described={data} />
  return error ? <ProblemAlert error={error} onRetry={() => void refetch()} /> : <Loading rows={2} />
}

export default EndpointFormOfRoute
