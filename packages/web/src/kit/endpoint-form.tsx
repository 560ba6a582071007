// A form for the body of an endpoint, from its declaration.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { readAllAgain } from '../api/read-again.ts'
import { plinth } from '../api/records-client.ts'
import { ActionForm } from '../common/actions/action-form.tsx'
import { actionTexts } from '../common/actions/dictionary.ts'
import { type ActionWithForm, useActionsQuery } from '../common/actions/use-actions.ts'
import { Loading } from '../common/loading.tsx'
import { ProblemAlert } from '../common/problem-alert.tsx'
import { initialValues, valuesToSend } from '../common/records/form-values.ts'
import { useText } from '../i18n/dictionary.ts'
import type { AnyEndpointFormProps } from './forms.tsx'

const FormOf = ({ form, action }: { readonly form: AnyEndpointFormProps; readonly action: ActionWithForm }) => {
  const { route, params = {}, values: own = {}, submit, onDone, onCancel } = form
  const queries = useQueryClient()
  const fields = action.fields.filter(({ name }) => !Object.hasOwn(own, name))
  const [values, setValues] = useState(() => initialValues(fields, null))
  const send = useMutation({
    mutationFn: () => plinth.call(route, { params, body: { ...own, ...valuesToSend(fields, values) } }),
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
      submit={submit ?? action.title}
      onSubmit={() => send.mutate()}
      onCancel={onCancel}
    />
  )
}

const EndpointFormOfRoute = (form: AnyEndpointFormProps) => {
  const t = useText(actionTexts)
  const [, method, path] = /^(\w+) (.*)$/.exec(form.route) ?? []
  const [, resource = ''] = /^\/api\/rest\/(\w+)/.exec(path ?? '') ?? []
  const { data, error, refetch } = useActionsQuery(resource)
  if (!data) return error ? <ProblemAlert error={error} onRetry={() => void refetch()} /> : <Loading rows={2} />
  const action = data.find(one => one.method === method && one.path === path)
  return action ? <FormOf form={form} action={action} /> : <ProblemAlert error={new Error(t('notOffered'))} />
}

export default EndpointFormOfRoute
