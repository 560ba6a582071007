// A button for an endpoint of a module: a form for its body, a question where the endpoint asks one, then the result.

import { Button } from '@mantine/core'
import { newKey } from '@plinth/client'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { request } from '../../../api/client.ts'
import { AsyncButton } from '../../../common/async-button.tsx'
import { notify } from '../../../common/notify.ts'
import { useText } from '../../../i18n/dictionary.ts'
import { ActionDialog } from './action-dialog.tsx'
import { resultOf } from './action-result.tsx'
import { actionTexts } from './dictionary.ts'
import type { ActionWithForm } from './use-actions.ts'

interface ActionButtonProps {
  readonly action: ActionWithForm
  /** The record, for actions of records. */
  readonly pk?: string
  readonly isPossible?: boolean
}

export const ActionButton = ({ action, pk, isPossible = true }: ActionButtonProps) => {
  const t = useText(actionTexts)
  const client = useQueryClient()
  // A key for each time that the dialog opens: a second press does nothing more.
  const [opened, setOpened] = useState<string | null>(null)
  const { title, about, method, path, confirm, fields } = action
  const call = async (body: object | null, idempotencyKey: string) => {
    const address = pk === undefined ? path : path.replace('{pk}', encodeURIComponent(pk))
    const response = await request<unknown>(address, { method, idempotencyKey, ...(body && { body }) })
    // Whatever it has changed is read again.
    await client.invalidateQueries({ predicate: ({ queryKey: [kind] }) => kind !== 'schema' && kind !== 'modules' })
    const result = resultOf(response.body)
    if (result === null) notify(t('done', { title }))
    return result
  }
  const hint = isPossible ? about : t('unavailable')
  const button = { variant: 'default', disabled: !isPossible, ...(hint && { title: hint }) } as const
  return (
    <>
      {fields.length === 0 && confirm === undefined ? (
        <AsyncButton {...button} onPress={() => call(null, newKey())}>
          {title}
        </AsyncButton>
      ) : (
        <Button {...button} onClick={() => setOpened(newKey())}>
          {title}
        </Button>
      )}
      {opened !== null && (
        <ActionDialog action={action} onCall={body => call(body, opened)} onClose={() => setOpened(null)} />
      )}
    </>
  )
}
