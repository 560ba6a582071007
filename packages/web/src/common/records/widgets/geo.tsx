// Points on the earth.

import { Anchor, Fieldset, Group, Input, NumberInput } from '@mantine/core'
import { useText } from '../../../i18n/dictionary.ts'
import { useFormats } from '../../../i18n/format.ts'
import { resourceTexts } from '../dictionary.ts'
import type { InputProps, Widget } from './widget.ts'

interface Point {
  readonly lat: number | null
  readonly lng: number | null
}

const pointOf = (value: unknown): Point => ({ lat: null, lng: null, ...Object(value ?? {}) })

/** Both numbers, with a dot: comma and dot mean something else in every language. */
const pointText = (value: unknown): string => {
  const { lat, lng } = pointOf(value)
  return `${lat}, ${lng}`
}

const GeoInput = ({ frame, value, onChange }: InputProps) => {
  const t = useText(resourceTexts)
  const { decimalSeparator } = useFormats()
  const point = pointOf(value)
  const change = (part: Partial<Point>) => {
    const changed = { ...point, ...part }
    onChange(changed.lat === null && changed.lng === null ? null : changed)
  }
  const degrees = (name: keyof Point, limit: number) => (
    <NumberInput
      label={t(name)}
      name={`${frame.name}.${name}`}
      value={point[name] ?? ''}
      onChange={number => change({ [name]: number === '' ? null : Number(number) })}
      min={-limit}
      max={limit}
      decimalScale={7}
      decimalSeparator={decimalSeparator}
      allowedDecimalSeparators={[',', '.']}
      hideControls
      disabled={frame.disabled}
      aria-invalid={frame.error ? true : undefined}
      style={{ flex: 1, minWidth: 0 }}
    />
  )
  return (
    <Fieldset legend={frame.label}>
      <Group wrap="nowrap" align="flex-start">
        {degrees('lat', 90)}
        {degrees('lng', 180)}
      </Group>
      {frame.description && <Input.Description mt="xs">{frame.description}</Input.Description>}
      {frame.error && <Input.Error mt="xs">{frame.error}</Input.Error>}
    </Fieldset>
  )
}

export const geo: Widget = {
  Input: GeoInput,
  text: pointText,
  // RFC 5870: devices open it in a map of their own.
  Display: ({ value }) => (
    <Anchor href={`geo:${pointText(value).replace(' ', '')}`} style={{ overflowWrap: 'anywhere' }}>
      {pointText(value)}
    </Anchor>
  ),
  toCell: pointText,
  width: 11,
}
