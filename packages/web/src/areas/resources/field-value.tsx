// A field's value as the page of a record shows it.

import { Text } from '@mantine/core'
import { resourceTexts } from '../../common/records/dictionary.ts'
import { useWords, valueText } from '../../common/records/value-text.ts'
import { PlainText } from '../../common/records/widgets/text.tsx'
import type { FieldWithWidget } from '../../common/records/widgets/widget.ts'
import { useText } from '../../i18n/dictionary.ts'

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)

interface FieldValueProps {
  readonly field: FieldWithWidget
  readonly value: unknown
}

export const FieldValue = ({ value, field }: FieldValueProps) => {
  const t = useText(resourceTexts)
  const words = useWords()
  const { Display } = field.widget
  if (isEmpty(value)) {
    return (
      <Text component="span" c="dimmed" fs="italic">
        {t('empty')}
      </Text>
    )
  }
  return Display ? <Display value={value} field={field} /> : <PlainText text={valueText(value, field, words)} />
}
