// A button for an endpoint of a module: a form for its body, a question where the endpoint asks one, then the result.

import { Button } from '@mantine/core'
import { newKey } from '@plinth/client'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { readAllAgain } from '../../../api/read-again.ts'
import { callAction } from '../../../common/actions/call-action.ts'
import { actionTexts } from '../../../common/actions/dictionary.ts'
import { type ActionWithForm, isAskedFirst, lookOf } from '../../../common/actions/use-actions.ts'
import { AsyncButton } from '../../../common/async-button.tsx'
import { notify } from '../../../common/notify.ts'
import { useText } from '../../../i18n/dictionary.ts'
import { ActionDialog } from './action-dialog.tsx'

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
  const { title, about, unavailable = t('unavailable') } = action
  const call = async (body: object | null, idempotencyKey: string) => {
    const result = await callAction(action, { pk, body, idempotencyKey })
    await readAllAgain(client)
    if (result === null) notify(t('done', { title }))
    return result
  }
  const hint = isPossible ? about : unavailable
  const button = { ...lookOf(action), disabled: !isPossible, ...(hint && { title: hint }) }
  return (
    <>
      {isAskedFirst(action) ? (
        <Button {...button} onClick={() => setOpened(newKey())}>
          {title}
        </Button>
      ) : (
        <AsyncButton {...button} onPress={() => call(null, newKey())}>
          {title}
        </AsyncButton>
      )}
      {opened !== null && (
        <ActionDialog action={action} onCall={body => call(body, opened)} onClose={() => setOpened(null)} />
      )}
    </>
  )
}
