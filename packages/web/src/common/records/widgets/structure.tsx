// Values made of parts, such as a postal address, and lists of them.

import { StructureInput, StructuresInput } from '../structure-input.tsx'
import type { FieldSchema } from '../ui-schema.ts'
import { Parts } from './parts.tsx'
import type { ValueProps, Widget } from './widget.ts'

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Each of the texts and numbers once, without what the service keeps beside them. */
const partsText = (value: unknown): string =>
  isObject(value)
    ? Object.values(value)
        .filter(part => typeof part === 'string' || typeof part === 'number')
        .filter((part, at, all) => all.indexOf(part) === at)
        .join(', ')
    : String(value)

/** The parts of a field, or of each of its entries. */
export const partsOf = (json: FieldSchema | undefined): Readonly<Record<string, FieldSchema>> =>
  (json?.items ?? json)?.properties ?? {}

const Structure = ({ value, field }: ValueProps) => {
  const parts = partsOf(field.json)
  return <Parts value={Object(value)} toName={key => parts[key]?.title ?? key} />
}

export const structure: Widget = {
  Input: ({ field, frame, value, onChange }) => (
    <StructureInput {...frame} schema={field.json} value={value} onChange={onChange} />
  ),
  text: partsText,
  Display: Structure,
  isWide: true,
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const structures: Widget = {
  Input: ({ field, frame, value, onChange }) => (
    <StructuresInput {...frame} schema={field.json} value={value} onChange={onChange} />
  ),
  text: value => listOf(value).map(partsText).join(', '),
  Display: ({ value, field }) =>
    listOf(value).map(entry => <Structure key={JSON.stringify(entry)} value={entry} field={field} />),
  isWide: true,
}
