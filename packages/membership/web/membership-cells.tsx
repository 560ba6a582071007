// How memberships look in lists.

import { Anchor, Box, Text } from '@mantine/core'
import { useFormats, useTexts } from '@plinth/web'
import { Link } from 'react-router'
import { networkTexts } from './dictionary.ts'
import { type NetworkMembership, organisationOf } from './memberships.ts'

/** The organisation stands out; the whole name follows. */
export const Party = ({ party, to }: { readonly party: string; readonly to?: string | undefined }) => (
  <Box miw={170}>
    {to === undefined ? (
      <Text fw={600}>{organisationOf(party)}</Text>
    ) : (
      <Anchor component={Link} to={to} fw={600}>
        {organisationOf(party)}
      </Anchor>
    )}
    <Text size="xs" c="dimmed">
      {party}
    </Text>
  </Box>
)

export const NetworkName = ({ membership }: { readonly membership: NetworkMembership }) => {
  const t = useTexts(networkTexts)
  return membership.networkID === null ? (
    <Text span c="dimmed" size="sm">
      {t('defaultNetwork')}
    </Text>
  ) : (
    <Text span size="sm">
      {membership.networkID}
    </Text>
  )
}

export const When = ({ iso }: { readonly iso: string }) => {
  const formats = useFormats()
  return (
    <Text span size="sm">
      <time dateTime={iso} title={formats.dateTime(iso)}>
        {formats.ago(iso)}
      </time>
    </Text>
  )
}

/** One line of it; the whole stands on the page of the membership. */
export const metadataLine = (metadata: unknown): string => {
  if (metadata === null || metadata === undefined) return ''
  if (typeof metadata !== 'object' || Array.isArray(metadata)) return JSON.stringify(metadata)
  return Object.entries(metadata)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
}
