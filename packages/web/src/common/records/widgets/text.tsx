// Text, on one line or several, and text that is never shown.

import { Anchor, PasswordInput, Text, Textarea, TextInput } from '@mantine/core'
import { useText } from '../../../i18n/dictionary.ts'
import { resourceTexts } from '../dictionary.ts'
import { tooLongText } from '../text-length.ts'
import { contains } from './conditions.tsx'
import { asText, type InputProps, type ValueProps, type Widget } from './widget.ts'

export const PlainText = ({ text }: { readonly text: string }) => (
  <Text component="bdi" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
    {text}
  </Text>
)

const isWebAddress = (text: string): boolean => /^https?:\/\//.test(text) || /^\/(?!\/)/.test(text)

const TextValue = ({ field, value }: ValueProps) => {
  const text = asText(value)
  if (!field.format?.startsWith('uri') || !isWebAddress(text)) return <PlainText text={text} />
  return (
    <Anchor href={text} target="_blank" rel="noreferrer" style={{ overflowWrap: 'anywhere' }}>
      {text}
    </Anchor>
  )
}

const Reachable = ({ href, text }: { readonly href: string; readonly text: string }) => (
  <Anchor href={href} style={{ overflowWrap: 'anywhere' }}>
    <bdi>{text}</bdi>
  </Anchor>
)

const useFault = ({ field, frame, value }: InputProps): string | undefined => {
  const t = useText(resourceTexts)
  return frame.error ?? tooLongText(t, asText(value), field.maxLength)
}

/** Telephones show the keyboard for it. */
type LineType = 'text' | 'email' | 'tel' | 'url'

const TextLine = ({ type, ...props }: InputProps & { readonly type?: LineType }) => {
  const { field, frame, value, onChange } = props
  return (
    <TextInput
      {...frame}
      error={useFault(props)}
      type={type ?? (field.format === 'email' ? 'email' : 'text')}
      dir="auto"
      value={asText(value)}
      onChange={event => onChange(event.currentTarget.value)}
    />
  )
}

const TextLines = (props: InputProps) => {
  const { frame, value, onChange } = props
  return (
    <Textarea
      {...frame}
      error={useFault(props)}
      dir="auto"
      autosize
      minRows={3}
      maxRows={16}
      value={asText(value)}
      onChange={event => onChange(event.currentTarget.value)}
    />
  )
}

export const text: Widget = {
  Input: TextLine,
  text: asText,
  Display: TextValue,
  search: contains,
}

/** Signs such as `?` would begin a subject, or further recipients. */
const mailTo = (address: string): string => `mailto:${encodeURIComponent(address).replace('%40', '@')}`

export const email: Widget = {
  ...text,
  Input: props => <TextLine {...props} type="email" />,
  Display: ({ value }) => <Reachable href={mailTo(asText(value))} text={asText(value)} />,
}

export const phone: Widget = {
  ...text,
  Input: props => <TextLine {...props} type="tel" />,
  Display: ({ value }) => <Reachable href={`tel:${asText(value).replace(/[^+\d]/g, '')}`} text={asText(value)} />,
}

export const url: Widget = {
  ...text,
  Input: props => <TextLine {...props} type="url" />,
}

export const textarea: Widget = {
  Input: TextLines,
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
