// Numbers and amounts of money.

import { NumberInput } from '@mantine/core'
import { useFormats } from '../../../i18n/format.ts'
import { numberRange } from './conditions.tsx'
import type { InputProps, Widget } from './widget.ts'

interface Decimals {
  readonly usual: number
  /** Are all of them shown, even if they are zeros? */
  readonly isFixed: boolean
}

const numberInput =
  ({ usual, isFixed }: Decimals) =>
  ({ member, frame, value, onChange }: InputProps) => (
    <NumberInput
      {...frame}
      value={typeof value === 'number' ? value : ''}
      onChange={number => onChange(number === '' ? null : Number(number))}
      min={member.min}
      max={member.max}
      clampBehavior="none"
      decimalScale={member.decimals ?? usual}
      fixedDecimalScale={isFixed}
      decimalSeparator={useFormats().decimalSeparator}
      allowedDecimalSeparators={[',', '.']}
    />
  )

export const number: Widget = {
  Input: numberInput({ usual: 0, isFixed: false }),
  // Years and versions are no quantities: they are not grouped.
  text: String,
  search: numberRange,
  isNumeric: true,
  width: 7,
}

export const money: Widget = {
  Input: numberInput({ usual: 2, isFixed: true }),
  text: (value, _, { formats }) => formats.money(Number(value)),
  search: numberRange,
  isNumeric: true,
  width: 7,
}
