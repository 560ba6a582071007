// The form for the body of an endpoint, and the question that it asks.

import { Button, Group, Stack } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { useText } from '../../i18n/dictionary.ts'
import { commonTexts } from '../dictionary.ts'
import { ProblemAlert } from '../problem-alert.tsx'
import { faultTextsByField } from '../problem-text.ts'
import { FieldInput } from '../records/field-input.tsx'
import type { FormValues } from '../records/form-values.ts'
import type { FieldWithWidget } from '../records/widgets/widget.ts'

interface ActionFormProps {
  readonly fields: readonly FieldWithWidget[]
  readonly values: FormValues
  readonly onChange: (values: FormValues) => void
  readonly error: unknown
  readonly isPending?: boolean
  /** The words on the button. */
  readonly submit: string
  readonly isDestructive?: boolean
  readonly onSubmit: () => void
  readonly onCancel: (() => void) | undefined
  /** The text above the fields. */
  readonly children?: ReactNode
}

export const ActionForm = (props: ActionFormProps) => {
  const { fields, values, onChange, error, isPending = false, onSubmit, children } = props
  const t = useText(commonTexts)
  const faults = faultTextsByField(error, { labelOf: name => fields.find(field => field.name === name)?.label })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isPending) onSubmit()
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {children}
        {fields.map(field => (
          <FieldInput
            key={field.name}
            field={field}
            value={values[field.name]}
            error={faults.get(field.name)}
            onChange={value => onChange({ ...values, [field.name]: value })}
          />
        ))}
        <ProblemAlert error={error} fieldsWithErrors={new Set(fields.map(({ name }) => name))} />
        <Group justify="flex-end">
          {props.onCancel && (
            <Button variant="default" onClick={props.onCancel} data-autofocus={props.isDestructive || undefined}>
              {t('cancel')}
            </Button>
          )}
          <Button type="submit" loading={isPending} {...(props.isDestructive && { color: 'red' })}>
            {props.submit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
