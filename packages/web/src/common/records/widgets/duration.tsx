// How long something takes.

import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useText } from '../../../i18n/dictionary.ts'
import { resourceTexts } from '../dictionary.ts'
import { durationText, readDurationText } from '../duration-text.ts'
import { durationRange } from './conditions.tsx'
import { asText, type InputProps, type Widget } from './widget.ts'

/** The text stays as it was typed until the field is left: then it is shown as it was understood. */
const DurationInput = ({ frame, value, onChange }: InputProps) => {
  const t = useText(resourceTexts)
  const [typed, setTyped] = useState<string | null>(null)
  const text = durationText(asText(value))
  const isUnclear = typed === null && text !== '' && readDurationText(text) === null
  return (
    <TextInput
      {...frame}
      error={isUnclear ? t('notDuration') : frame.error}
      placeholder={t('durationExample')}
      value={typed ?? text}
      onChange={event => {
        const text = event.currentTarget.value
        setTyped(text)
        onChange(text.trim() === '' ? null : (readDurationText(text) ?? text))
      }}
      onBlur={() => setTyped(null)}
    />
  )
}

export const duration: Widget = {
  Input: DurationInput,
  text: value => durationText(String(value)),
  search: durationRange,
  isNumeric: true,
  width: 8,
}
