// The input for one member, chosen by the widget that the service names.

import { Checkbox, JsonInput, NumberInput, PasswordInput, Select, TagsInput, Textarea, TextInput } from '@mantine/core'
import { commonTexts } from '../../common/dictionary.ts'
import { useText } from '../../i18n/dictionary.ts'
import { useLanguage } from '../../i18n/language.ts'
import { resourceTexts } from './dictionary.ts'
import { LookupMany, LookupOne, type Related } from './lookup.tsx'
import { MapInput } from './map-input.tsx'
import type { MemberUse } from './schema.ts'
import { StructureInput, StructuresInput } from './structure-input.tsx'
import { optionText } from './value-text.ts'

export interface FieldInputProps {
  readonly member: MemberUse
  readonly value: unknown
  readonly error?: string
  readonly onChange: (value: unknown) => void
}

/** A browser's field for times knows no zone: it shows and takes the person's own. */
const toLocal = (iso: unknown): string => {
  if (typeof iso !== 'string' || iso === '') return ''
  const date = new Date(iso)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

const fromLocal = (text: string): string | null => (text === '' ? null : new Date(text).toISOString())

const asText = (value: unknown): string => (value === null || value === undefined ? '' : String(value))

export const FieldInput = ({ member, value, error, onChange }: FieldInputProps) => {
  const t = useText(resourceTexts)
  const common = useText(commonTexts)
  const language = useLanguage()
  const frame = {
    label: member.label,
    name: member.name,
    error,
    required: member.isNeeded,
    disabled: member.isLocked,
    ...(member.help && { description: member.help }),
  }
  const { relation, widget, json } = member
  switch (widget) {
    case 'lookup':
      return relation ? (
        <LookupOne
          {...frame}
          relation={relation}
          clearable={member.nullable}
          value={(value ?? null) as Related | null}
          onChange={onChange}
        />
      ) : null
    case 'lookups':
      return relation ? (
        <LookupMany {...frame} relation={relation} value={(value ?? []) as readonly Related[]} onChange={onChange} />
      ) : null
    case 'checkbox':
      return (
        <Checkbox
          {...frame}
          required={false}
          checked={value === true}
          onChange={event => onChange(event.currentTarget.checked)}
        />
      )
    case 'number':
    case 'money':
      return (
        <NumberInput
          {...frame}
          value={typeof value === 'number' ? value : ''}
          onChange={number => onChange(number === '' ? null : Number(number))}
          min={member.min}
          max={member.max}
          clampBehavior="none"
          decimalScale={widget === 'money' ? (member.decimals ?? 2) : (member.decimals ?? 0)}
          fixedDecimalScale={widget === 'money'}
          decimalSeparator={language === 'de' ? ',' : '.'}
          allowedDecimalSeparators={[',', '.']}
        />
      )
    case 'select':
      return (
        <Select
          {...frame}
          data={(member.options ?? []).map(value => ({ value, label: optionText(value, member) }))}
          value={asText(value) || null}
          allowDeselect={member.nullable}
          clearable={member.nullable}
          clearButtonProps={{ 'aria-label': common('clear') }}
          onChange={onChange}
        />
      )
    case 'textarea':
      return (
        <Textarea
          {...frame}
          dir="auto"
          autosize
          minRows={3}
          maxRows={16}
          maxLength={member.maxLength}
          value={asText(value)}
          onChange={event => onChange(event.currentTarget.value)}
        />
      )
    case 'tags':
      return (
        <TagsInput
          {...frame}
          value={Array.isArray(value) ? value.map(String) : []}
          onChange={onChange}
          clearable
          clearButtonProps={{ 'aria-label': common('clear') }}
        />
      )
    case 'password':
      return (
        <PasswordInput
          {...frame}
          autoComplete="new-password"
          aria-invalid={error ? true : undefined}
          value={asText(value)}
          onChange={event => onChange(event.currentTarget.value)}
        />
      )
    case 'map':
      return <MapInput {...frame} value={Object(value ?? {})} onChange={onChange} />
    case 'structure':
      return <StructureInput {...frame} schema={json} value={value} onChange={onChange} />
    case 'structures':
      return <StructuresInput {...frame} schema={json} value={value} onChange={onChange} />
    case 'json':
      return (
        <JsonInput
          {...frame}
          autosize
          minRows={4}
          formatOnBlur
          validationError={t('notJson')}
          defaultValue={value === null || value === undefined ? '' : JSON.stringify(value, null, 2)}
          onChange={text => {
            const parsed = parse(text)
            if (parsed !== undefined) onChange(parsed)
          }}
        />
      )
    case 'date':
    case 'datetime':
      return (
        <TextInput
          {...frame}
          type={widget === 'date' ? 'date' : 'datetime-local'}
          value={widget === 'date' ? asText(value) : toLocal(value)}
          onChange={event => {
            const text = event.currentTarget.value
            onChange(widget === 'date' ? text || null : fromLocal(text))
          }}
        />
      )
    default:
      return (
        <TextInput
          {...frame}
          type={member.format === 'email' ? 'email' : 'text'}
          dir="auto"
          maxLength={member.maxLength}
          value={asText(value)}
          onChange={event => onChange(event.currentTarget.value)}
        />
      )
  }
}

/** Undefined: not yet JSON. */
const parse = (text: string): unknown => {
  if (text.trim() === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
