// Text, on one line or several, and text that is never shown.

import { Anchor, PasswordInput, Text, Textarea, TextInput } from '@mantine/core'
import { contains } from './conditions.tsx'
import { asText, type ValueProps, type Widget } from './widget.ts'

export const PlainText = ({ text }: { readonly text: string }) => (
  <Text component="bdi" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
    {text}
  </Text>
)

const isWebAddress = (text: string): boolean => /^https?:\/\//.test(text) || /^\/(?!\/)/.test(text)

const TextValue = ({ member, value }: ValueProps) => {
  const text = asText(value)
  if (!member.format?.startsWith('uri') || !isWebAddress(text)) return <PlainText text={text} />
  return (
    <Anchor href={text} target="_blank" rel="noreferrer" style={{ overflowWrap: 'anywhere' }}>
      {text}
    </Anchor>
  )
}

export const text: Widget = {
  Input: ({ member, frame, value, onChange }) => (
    <TextInput
      {...frame}
      type={member.format === 'email' ? 'email' : 'text'}
      dir="auto"
      maxLength={member.maxLength}
      value={asText(value)}
      onChange={event => onChange(event.currentTarget.value)}
    />
  ),
  text: asText,
  Display: TextValue,
  search: contains,
}

export const textarea: Widget = {
  Input: ({ member, frame, value, onChange }) => (
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
  ),
  text: asText,
  search: contains,
  isWide: true,
}

export const password: Widget = {
  Input: ({ frame, value, onChange }) => (
    <PasswordInput
      {...frame}
      autoComplete="new-password"
      aria-invalid={frame.error ? true : undefined}
      value={asText(value)}
      onChange={event => onChange(event.currentTarget.value)}
    />
  ),
  text: asText,
}
