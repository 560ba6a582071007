// Numbers and amounts of money.

import { NumberInput } from '@mantine/core'
import { useState } from 'react'
import { useText } from '../../../i18n/dictionary.ts'
import { useFormats } from '../../../i18n/format.ts'
import { problemTexts } from '../../dictionary.ts'
import { numberRange } from './conditions.tsx'
import type { InputProps, Widget } from './widget.ts'

interface Decimals {
  readonly usual: number
  /** Are all of them shown, even if they are zeros? */
  readonly isFixed: boolean
}

const decimalsOf = (value: unknown): number => String(value).split('.')[1]?.length ?? 0

/** The most decimals, more than any number keeps. */
const maxDecimals = 20

const numberInput =
  ({ usual, isFixed }: Decimals) =>
  ({ field, frame, value, onChange }: InputProps) => {
    const t = useText(problemTexts)
    const { decimalSeparator } = useFormats()
    const [isFocused, setFocused] = useState(false)
    const decimals = field.decimals ?? usual
    const isTooFine = decimalsOf(value) > decimals
    // Digits too many stay, and are marked: cutting them would change the number without a word.
    const isPadded = isFixed && !isFocused && !isTooFine
    return (
      <NumberInput
        {...frame}
        error={frame.error ?? (isTooFine && (decimals === 0 ? t('notWhole') : t('maxDecimals', { max: decimals })))}
        value={typeof value === 'number' ? (isPadded ? value.toFixed(decimals) : value) : ''}
        onChange={number => onChange(number === '' ? null : Number(number))}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        min={field.min}
        max={field.max}
        clampBehavior="none"
        decimalScale={maxDecimals}
        decimalSeparator={decimalSeparator}
        allowedDecimalSeparators={[',', '.']}
      />
    )
  }

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
