import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { commonTexts } from '../../../common/dictionary.ts'
import { ProblemAlert } from '../../../common/problem-alert.tsx'
import { faultTextsByField } from '../../../common/problem-text.ts'
import { FieldInput } from '../../../common/records/field-input.tsx'
import { initialValues, valuesToSend } from '../../../common/records/form-values.ts'
import { useText } from '../../../i18n/dictionary.ts'
import { ActionResult, type Result } from './action-result.tsx'
import type { ActionWithForm } from './use-actions.ts'

interface ActionDialogProps {
  readonly action: ActionWithForm
  /** Gives what is to be shown, if anything. */
  readonly onCall: (body: object | null) => Promise<Result | null>
  readonly onClose: () => void
}

export const ActionDialog = ({ action, onCall, onClose }: ActionDialogProps) => {
  const t = useText(commonTexts)
  const { title, about, confirm, fields } = action
  const [values, setValues] = useState(() => initialValues(fields, null))
  const call = useMutation({
    mutationFn: () => onCall(fields.length === 0 ? null : valuesToSend(fields, values)),
    onSuccess: result => {
      if (result === null) onClose()
    },
  })
  const faults = faultTextsByField(call.error, {
    labelOf: name => fields.find(field => field.name === name)?.label,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!call.isPending) call.mutate()
  }
  return (
    <Modal opened onClose={onClose} title={title} centered closeButtonProps={{ 'aria-label': t('close') }}>
      {call.data ? (
        <ActionResult result={call.data} onClose={onClose} />
      ) : (
        <form onSubmit={submit} noValidate>
          <Stack>
            {(confirm ?? about) && <Text size="sm">{confirm ?? about}</Text>}
            {fields.map(field => (
              <FieldInput
                key={field.name}
                field={field}
                value={values[field.name]}
                error={faults.get(field.name)}
                onChange={value => setValues({ ...values, [field.name]: value })}
              />
            ))}
            <ProblemAlert error={call.error} fieldsWithErrors={new Set(fields.map(({ name }) => name))} />
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {t('cancel')}
              </Button>
              <Button type="submit" loading={call.isPending}>
                {title}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  )
}
