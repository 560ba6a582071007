// One membership: what it is, what can be done with it, and the signed states that led to it.

import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { hasRole, Loading, PageHeader, ProblemAlert, useFormats, useTexts, useUser } from '@plinth/web'
import { useState } from 'react'
import { useParams } from 'react-router'
import { ApplicationDialog } from './application-dialog.tsx'
import { networkTexts } from './dictionary.ts'
import { History } from './history.tsx'
import { NetworkName } from './membership-cells.tsx'
import { type NetworkMembership, type NetworkNode, organisationOf, rulingsFrom, useHistory } from './memberships.ts'
import { MetadataView } from './metadata-view.tsx'
import classes from './network.module.css'
import { type PendingDecision, RulingDialog } from './ruling-dialog.tsx'
import { StatusBadge } from './status-badge.tsx'

type From = 'decisions' | 'memberships' | 'members'

interface MembershipPageProps {
  readonly node: NetworkNode
  /** The list from which one came: it says in which role the node is meant. */
  readonly from: From
}

export const MembershipPage = ({ node, from }: MembershipPageProps) => {
  const t = useTexts(networkTexts)
  const maySteer = hasRole(useUser(), 'ROLE_SITE_OPERATOR')
  return maySteer ? <KnownMembership node={node} from={from} /> : <Text>{t('historyHidden')}</Text>
}

const parents = { decisions: 'toDecisions', memberships: 'toMemberships', members: 'toMembers' } as const

const KnownMembership = ({ node, from }: MembershipPageProps) => {
  const t = useTexts(networkTexts)
  const { linearId = '' } = useParams()
  const { data, error, refetch } = useHistory(node, from === 'decisions' ? 'operator' : 'member', linearId)
  const record = data?.at(-1)?.record
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />
  if (!data || !record) return <Loading />
  return (
    <>
      <PageHeader
        level={2}
        title={t('membershipOf', { member: organisationOf(record.member) })}
        parent={{ to: `/network/${encodeURIComponent(node.name)}/${from}`, label: t(parents[from]) }}
      >
        <Acts node={node} from={from} record={record} />
      </PageHeader>
      <Facts record={record} />
      <Title order={3} size="h4" mt="lg" mb={4}>
        {t('history')}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('historyText')}
      </Text>
      <History states={data} />
    </>
  )
}

interface ActsProps extends MembershipPageProps {
  readonly record: NetworkMembership
}

const Acts = ({ node, from, record }: ActsProps) => {
  const t = useTexts(networkTexts)
  const [decision, setDecision] = useState<PendingDecision | null>(null)
  const [amending, setAmending] = useState<NetworkMembership | null>(null)
  const rulings = from === 'decisions' ? rulingsFrom[record.status] : []
  return (
    <>
      {rulings.map(ruling => (
        <Button
          key={ruling}
          variant={ruling === 'activate' ? 'filled' : 'default'}
          onClick={() => setDecision({ ruling, memberships: [record] })}
        >
          {t(ruling)}
        </Button>
      ))}
      {from === 'memberships' && record.status === 'ACTIVE' && (
        <Button onClick={() => setAmending(record)}>{t('amend')}</Button>
      )}
      <RulingDialog node={node} decision={decision} onClose={() => setDecision(null)} />
      <ApplicationDialog node={node} about={amending} onClose={() => setAmending(null)} />
    </>
  )
}

const Facts = ({ record }: { readonly record: NetworkMembership }) => {
  const t = useTexts(networkTexts)
  const formats = useFormats()
  const facts = [
    [t('state'), <StatusBadge key="state" status={record.status} />],
    ...(record.reason ? [[t('reason'), record.reason]] : []),
    [t('member'), record.member],
    [t('operator'), record.bno],
    [t('network'), <NetworkName key="network" membership={record} />],
    [t('issued'), formats.dateTime(record.issued)],
    [t('changed'), formats.dateTime(record.modified)],
    [t('version'), String(record.version)],
  ] as const
  return (
    <Group align="stretch" gap="md">
      <dl className={`surface ${classes.pairs}`} style={{ flex: '1 1 22rem', padding: 'var(--mantine-spacing-md)' }}>
        {facts.map(([name, value]) => (
          <div key={String(name)}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Stack className="surface" p="md" gap="xs" style={{ flex: '1 1 22rem' }}>
        <Title order={3} size="h6">
          {t('metadata')}
        </Title>
        <MetadataView metadata={record.membershipMetadata} />
      </Stack>
    </Group>
  )
}
