// Yes or no, and one of several values.

import { Checkbox, Select } from '@mantine/core'
import { useText } from '../../../i18n/dictionary.ts'
import { commonTexts } from '../../dictionary.ts'
import { optionText } from '../value-text.ts'
import { oneOf, yesNo } from './conditions.tsx'
import { asText, type Widget } from './widget.ts'

export const checkbox: Widget = {
  Input: ({ frame, value, onChange }) => (
    <Checkbox
      {...frame}
      required={false}
      checked={value === true}
      onChange={event => onChange(event.currentTarget.checked)}
    />
  ),
  text: (value, _, { yes, no }) => (value === true ? yes : no),
  search: yesNo,
  width: 6,
}

export const select: Widget = {
  Input: ({ field, frame, value, onChange }) => {
    const t = useText(commonTexts)
    return (
      <Select
        {...frame}
        data={(field.options ?? []).map(option => ({ value: option, label: optionText(option, field) }))}
        value={asText(value) || null}
        allowDeselect={field.nullable}
        clearable={field.nullable}
        clearButtonProps={{ 'aria-label': t('clear') }}
        onChange={onChange}
      />
    )
  },
  text: (value, field) => optionText(String(value), field),
  search: oneOf,
}
