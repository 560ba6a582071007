// One related record, or a short list of them.

import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { LookupMany, LookupOne, type Related } from '../lookup.tsx'
import { isRelated, relatedText } from '../value-text.ts'
import { Badges } from './collection.tsx'
import { related } from './conditions.tsx'
import type { ValueProps, Widget } from './widget.ts'

const RelatedLink = ({ value, member }: ValueProps) => {
  const text = relatedText(value, member)
  if (!isRelated(value) || !member.relation) return text
  return (
    <Anchor component={Link} to={`/resources/${member.relation.resource}/${encodeURIComponent(value.pk)}`}>
      <bdi>{text}</bdi>
    </Anchor>
  )
}

const toPk = (value: unknown): unknown => (isRelated(value) ? value.pk : value)

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Identifiers in a file are whole. */
const whole = (pk: string): string => pk

export const lookup: Widget = {
  Input: ({ member, frame, value, onChange }) =>
    member.relation ? (
      <LookupOne
        {...frame}
        relation={member.relation}
        clearable={member.nullable}
        value={(value ?? null) as Related | null}
        onChange={onChange}
      />
    ) : null,
  text: (value, member) => relatedText(value, member),
  Display: RelatedLink,
  toBody: toPk,
  search: related,
  toCell: (value, member) => relatedText(value, member, whole),
}

export const lookups: Widget = {
  Input: ({ member, frame, value, onChange }) =>
    member.relation ? (
      <LookupMany
        {...frame}
        relation={member.relation}
        value={(value ?? []) as readonly Related[]}
        onChange={onChange}
      />
    ) : null,
  text: (value, member) =>
    listOf(value)
      .map(entry => relatedText(entry, member))
      .join(', '),
  Display: ({ value, member }) => (
    <Badges entries={listOf(value)} show={entry => <RelatedLink value={entry} member={member} />} />
  ),
  toBody: value => (Array.isArray(value) ? value.map(toPk) : value),
  toCell: (value, member) =>
    listOf(value)
      .map(entry => relatedText(entry, member, whole))
      .join(', '),
  isWide: true,
}
