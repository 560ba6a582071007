import { Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionForm } from '../../../common/actions/action-form.tsx'
import { ActionResult, type Result } from '../../../common/actions/action-result.tsx'
import { actionTexts } from '../../../common/actions/dictionary.ts'
import type { ActionWithForm } from '../../../common/actions/use-actions.ts'
import { Dialog } from '../../../common/dialog.tsx'
import { initialValues, valuesToSend } from '../../../common/records/form-values.ts'
import { useText } from '../../../i18n/dictionary.ts'

interface ActionDialogProps {
  readonly action: ActionWithForm
  /** Gives what is to be shown, if anything. */
  readonly onCall: (body: object | null) => Promise<Result | null>
  readonly onClose: () => void
}

export const ActionDialog = ({ action, onCall, onClose }: ActionDialogProps) => {
  const { title, about, confirm, isDestructive, fields } = action
  const t = useText(actionTexts)
  const words = confirm ?? about ?? (isDestructive ? t('question') : undefined)
  const [values, setValues] = useState(() => initialValues(fields, null))
  const call = useMutation({
    mutationFn: () => onCall(fields.length === 0 ? null : valuesToSend(fields, values)),
    onSuccess: result => {
      if (result === null) onClose()
    },
  })
  return (
    <Dialog opened onClose={onClose} title={title}>
      {call.data ? (
        <ActionResult result={call.data} onClose={onClose} />
      ) : (
        <ActionForm
          fields={fields}
          values={values}
          onChange={setValues}
          error={call.error}
          isPending={call.isPending}
          submit={title}
          isDestructive={isDestructive}
          onSubmit={() => call.mutate()}
          onCancel={onClose}
        >
          {words && <Text size="sm">{words}</Text>}
        </ActionForm>
      )}
    </Dialog>
  )
}
