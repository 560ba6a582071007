// Days and moments.

import { TextInput } from '@mantine/core'
import { dateRange, momentRange } from './conditions.tsx'
import { asText, type Widget } from './widget.ts'

/** A browser's field for times knows no zone: it shows and takes the person's own. */
const toLocal = (iso: unknown): string => {
  if (typeof iso !== 'string' || iso === '') return ''
  const moment = new Date(iso)
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

const fromLocal = (text: string): string | null => (text === '' ? null : new Date(text).toISOString())

export const date: Widget = {
  Input: ({ frame, value, onChange }) => (
    <TextInput
      {...frame}
      type="date"
      value={asText(value)}
      onChange={event => onChange(event.currentTarget.value || null)}
    />
  ),
  text: (value, _, { formats }) => formats.date(String(value)),
  search: dateRange,
  width: 8,
}

export const datetime: Widget = {
  Input: ({ frame, value, onChange }) => (
    <TextInput
      {...frame}
      type="datetime-local"
      value={toLocal(value)}
      onChange={event => onChange(fromLocal(event.currentTarget.value))}
    />
  ),
  text: (value, _, { formats }) => formats.dateTime(String(value)),
  search: momentRange,
  width: 11,
}
