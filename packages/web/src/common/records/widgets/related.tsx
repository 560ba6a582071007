// One related record, or a short list of them.

import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { LookupMany, LookupOne, type Related } from '../lookup.tsx'
import { isRelated, relatedText } from '../value-text.ts'
import { Badges } from './collection.tsx'
import { related } from './conditions.tsx'
import type { ValueProps, Widget } from './widget.ts'

const RelatedLink = ({ value, field }: ValueProps) => {
  const text = relatedText(value, field)
  if (!isRelated(value) || !field.relation) return text
  return (
    <Anchor component={Link} to={`/resources/${field.relation.resource}/${encodeURIComponent(value.pk)}`}>
      <bdi>{text}</bdi>
    </Anchor>
  )
}

const toPk = (value: unknown): unknown => (isRelated(value) ? value.pk : value)

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Identifiers in a file are whole. */
const whole = (pk: string): string => pk

export const lookup: Widget = {
  Input: ({ field, frame, value, onChange }) =>
    field.relation ? (
      <LookupOne
        {...frame}
        relation={field.relation}
        clearable={field.nullable}
        value={(value ?? null) as Related | null}
        onChange={onChange}
      />
    ) : null,
  text: (value, field) => relatedText(value, field),
  Display: RelatedLink,
  toBody: toPk,
  search: related,
  toCell: (value, field) => relatedText(value, field, whole),
}

export const lookups: Widget = {
  Input: ({ field, frame, value, onChange }) =>
    field.relation ? (
      <LookupMany
        {...frame}
        relation={field.relation}
        value={(value ?? []) as readonly Related[]}
        onChange={onChange}
      />
    ) : null,
  text: (value, field) =>
    listOf(value)
      .map(entry => relatedText(entry, field))
      .join(', '),
  Display: ({ value, field }) => (
    <Badges entries={listOf(value)} show={entry => <RelatedLink value={entry} field={field} />} />
  ),
  toBody: value => (Array.isArray(value) ? value.map(toPk) : value),
  toCell: (value, field) =>
    listOf(value)
      .map(entry => relatedText(entry, field, whole))
      .join(', '),
  isWide: true,
}
