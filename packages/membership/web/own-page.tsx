// The memberships that the node itself has, with every operator that it deals with.

import { Button, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { Empty, hasRole, Loading, ProblemAlert, useTexts, useUser } from '@plinth/web'
import { IconId, IconPlus } from '@tabler/icons-react'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { ApplicationDialog } from './application-dialog.tsx'
import { networkTexts } from './dictionary.ts'
import { NetworkName, When } from './membership-cells.tsx'
import { type NetworkMembership, type NetworkNode, organisationOf, ownMemberships } from './memberships.ts'
import { MetadataView } from './metadata-view.tsx'
import { StatusBadge } from './status-badge.tsx'

interface OwnCardProps {
  readonly node: NetworkNode
  readonly membership: NetworkMembership
  /** Is undefined for who may only look. */
  readonly onAmend: (() => void) | undefined
}

const OwnCard = ({ node, membership, onAmend }: OwnCardProps) => {
  const t = useTexts(networkTexts)
  const { bno, status, modified, reason, linearId, membershipMetadata } = membership
  const operator = organisationOf(bno)
  const to = `/network/${encodeURIComponent(node.name)}/memberships/${encodeURIComponent(linearId)}`
  return (
    <Stack component="article" className="surface" p="md" gap="xs" aria-label={operator}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div style={{ minWidth: 0 }}>
          <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
            {operator}
          </Title>
          <Text size="sm" c="dimmed" component="div">
            {t('network')}: <NetworkName membership={membership} /> · {t('changed')} <When iso={modified} />
          </Text>
        </div>
        <StatusBadge status={status} />
      </Group>
      {reason && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {t('reason')}: {reason}
        </Text>
      )}
      <div style={{ flex: 1 }}>
        <MetadataView metadata={membershipMetadata} />
      </div>
      {onAmend && (
        <Group gap="xs">
          {status === 'ACTIVE' && (
            <Button size="xs" variant="light" onClick={onAmend} aria-label={t('amendNamed', { operator })}>
              {t('amend')}
            </Button>
          )}
          <Button size="xs" variant="default" component={Link} to={to} aria-label={`${t('history')}: ${operator}`}>
            {t('history')}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

export const OwnPage = ({ node }: { readonly node: NetworkNode }) => {
  const t = useTexts(networkTexts)
  const maySteer = hasRole(useUser(), 'ROLE_SITE_OPERATOR')
  const [about, setAbout] = useState<NetworkMembership | 'new' | null>(null)
  const answers = useQueries({ queries: (node.operators ?? []).map(operator => ownMemberships(node, operator)) })
  const memberships = answers.flatMap(({ data }) => data ?? [])
  const failed = answers.find(({ error }) => error)
  const isPending = answers.some(({ isPending }) => isPending)
  return (
    <>
      {maySteer && (
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAbout('new')} mb="md">
          {t('request')}
        </Button>
      )}
      {node.operators === null && <ProblemAlert error={new Error(t('noOperators'))} />}
      {failed && <ProblemAlert error={failed.error} onRetry={() => void failed.refetch()} />}
      {isPending && <Loading rows={3} />}
      {memberships.length === 0 && !isPending && !failed && node.operators !== null && (
        <div className="surface">
          <Empty icon={IconId} title={t('ownNone')} text={t('ownNoneText')} />
        </div>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md" mt={failed ? 'md' : 0}>
        {memberships.map(membership => (
          <OwnCard
            key={membership.linearId}
            node={node}
            membership={membership}
            onAmend={maySteer ? () => setAbout(membership) : undefined}
          />
        ))}
      </SimpleGrid>
      <ApplicationDialog node={node} about={about} onClose={() => setAbout(null)} />
    </>
  )
}
