// The input for one member.

import type { FieldWithWidget } from './widgets/widget.ts'

export interface FieldInputProps {
  readonly member: FieldWithWidget
  readonly value: unknown
  readonly error: string | undefined
  readonly onChange: (value: unknown) => void
}

export const FieldInput = ({ member, value, error, onChange }: FieldInputProps) => {
  const { Input } = member.widget
  const frame = {
    label: member.label,
    name: member.name,
    error,
    required: member.isNeeded,
    disabled: member.isLocked,
    ...(member.help && { description: member.help }),
  }
  return <Input member={member} frame={frame} value={value} onChange={onChange} />
}
