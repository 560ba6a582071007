// The inputs of all field types: with a value, and refused.

import { SimpleGrid } from '@mantine/core'
import { FieldInput } from '../../src/common/records/field-input.tsx'
import { toFieldUse } from '../../src/common/records/schema.ts'
import type { UiField } from '../../src/common/records/ui-schema.ts'
import { type Sheet, state } from '../sheet.ts'

const usual = {
  ...{ required: false, nullable: true, readOnly: false, writeOnly: false, searchable: true, sortable: true },
} as const

const fields: readonly (readonly [field: UiField, value: unknown])[] = [
  [{ ...usual, widget: 'text', label: 'Text', required: true }, 'Emma'],
  [{ ...usual, widget: 'textarea', label: 'Long text', help: 'A few sentences.' }, 'A novel of manners.'],
  [{ ...usual, widget: 'number', label: 'Number' }, 320],
  [{ ...usual, widget: 'date', label: 'Date' }, '2030-05-01'],
  [{ ...usual, widget: 'duration', label: 'Duration' }, 'PT2H26M'],
  [{ ...usual, widget: 'checkbox', label: 'Yes or no' }, true],
  [{ ...usual, widget: 'select', label: 'Choice', options: ['new', 'used'] }, 'used'],
  [{ ...usual, widget: 'email', label: 'E-mail' }, 'ada@example.org'],
  [{ ...usual, widget: 'phone', label: 'Phone' }, '+44 20 7946 0958'],
  [{ ...usual, widget: 'url', label: 'Link' }, 'https://example.org'],
  [{ ...usual, widget: 'password', label: 'Password', writeOnly: true }, 'secret'],
  [{ ...usual, widget: 'tags', label: 'Tags' }, ['novel', 'classic']],
  [
    { ...usual, widget: 'geo', label: 'Place' },
    { lat: 51.06, lng: -1.31 },
  ],
  [{ ...usual, widget: 'json', label: 'JSON' }, { edition: 2 }],
  [{ ...usual, widget: 'file', label: 'File' }, null],
]

const grid = (error: string | undefined, hasValues: boolean) => (
  <SimpleGrid cols={{ base: 1, sm: 3 }}>
    {fields.map(([field, value]) => (
      <FieldInput
        key={field.label}
        field={toFieldUse(field.label, field)}
        value={hasValues ? value : null}
        error={error}
        onChange={() => {}}
      />
    ))}
  </SimpleGrid>
)

export const widgetSheet: Sheet = {
  name: 'widgets',
  shows: [],
  states: [
    state('empty', grid(undefined, false)),
    state('with values', grid(undefined, true)),
    state('refused', grid('This is not possible.', true)),
  ],
}
