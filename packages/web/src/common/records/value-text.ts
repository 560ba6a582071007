// Values in words.

import { useText } from '../../i18n/dictionary.ts'
import { useFormats } from '../../i18n/format.ts'
import { commonTexts } from '../dictionary.ts'
import type { UiField } from './ui-schema.ts'
import type { FieldWithWidget, Words } from './widgets/widget.ts'

/** Generated identifiers start with the time, so their ends tell them apart. */
export const shortId = (pk: string): string => (pk.length > 16 ? `#${pk.slice(-8)}` : pk)

export const isRelated = (value: unknown): value is { readonly pk: string } & Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && 'pk' in value && typeof value.pk === 'string'

/** What a related record is called; without a label, its identifier. */
export const relatedText = (value: unknown, { relation }: Pick<UiField, 'relation'>, toId = shortId): string => {
  if (!isRelated(value)) return value === null || value === undefined ? '' : String(value)
  return String((relation?.label && value[relation.label]) ?? toId(value.pk))
}

/** One of the values that the service offers. */
export const optionText = (value: string, { optionLabels = {} }: Pick<UiField, 'optionLabels'>): string =>
  optionLabels[value] ?? value

export const useWords = (): Words => {
  const t = useText(commonTexts)
  return { formats: useFormats(), yes: t('yes'), no: t('no') }
}

/** Writes a value in one line, for lists and comparisons. */
export const valueText = (value: unknown, field: FieldWithWidget, words: Words): string =>
  value === null || value === undefined || value === '' ? '' : field.widget.text(value, field, words)
