// The input for one field.

import type { FieldWithWidget } from './widgets/widget.ts'

export interface FieldInputProps {
  readonly field: FieldWithWidget
  readonly value: unknown
  readonly error: string | undefined
  readonly onChange: (value: unknown) => void
}

export const FieldInput = ({ field, value, error, onChange }: FieldInputProps) => {
  const { Input } = field.widget
  const frame = {
    label: field.label,
    name: field.name,
    error,
    required: field.isNeeded,
    disabled: field.isLocked,
    ...(field.help && { description: field.help }),
  }
  return <Input field={field} frame={frame} value={value} onChange={onChange} />
}
