import { Button, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { Empty, PageHeader, useTexts } from '@plinth/web'
import { IconAffiliate } from '@tabler/icons-react'
import { Link } from 'react-router'
import { networkTexts } from './dictionary.ts'
import type { NetworkNode } from './memberships.ts'
import { HealthBadge } from './status-badge.tsx'

/** What the node says of itself; details reach those who run the network. */
const useHealthLines = ({ health, kind, operators }: NetworkNode): readonly string[] => {
  const t = useTexts(networkTexts)
  const { states, partiesBehind, address } = health
  const where = kind === 'embedded' ? t('kindEmbedded') : kind === 'remote' ? t('kindRemote') : kind
  return [
    typeof address === 'string' ? `${where}, ${t('address', { address })}` : where,
    ...(typeof states === 'number' ? [t('states', { count: states })] : []),
    ...(typeof partiesBehind === 'number'
      ? [partiesBehind === 0 ? t('allNotified') : t('behind', { count: partiesBehind })]
      : []),
    ...(operators ? [t('deals', { count: operators.length })] : []),
  ]
}

const NodeCard = ({ node }: { readonly node: NetworkNode }) => {
  const t = useTexts(networkTexts)
  const lines = useHealthLines(node)
  return (
    <Stack component="article" className="surface" p="md" gap="xs" aria-label={node.organisation}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div style={{ minWidth: 0 }}>
          <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
            {node.organisation}
          </Title>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {node.party}
          </Text>
        </div>
        <HealthBadge node={node} />
      </Group>
      <Text size="sm">
        <strong>{t(node.role === 'operator' ? 'roleOperator' : 'roleMember')}</strong> · {node.name}
      </Text>
      <Stack gap={2} style={{ flex: 1 }}>
        {lines.map(line => (
          <Text key={line} size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {line}
          </Text>
        ))}
      </Stack>
      <Button
        component={Link}
        to={`/network/${encodeURIComponent(node.name)}`}
        variant="default"
        aria-label={`${t('open')}: ${node.organisation}`}
      >
        {t('open')}
      </Button>
    </Stack>
  )
}

export const NodesPage = ({ nodes }: { readonly nodes: readonly NetworkNode[] }) => {
  const t = useTexts(networkTexts)
  return (
    <>
      <PageHeader title={t('title')} description={t('intro')} />
      {nodes.length === 0 ? (
        <Empty icon={IconAffiliate} title={t('noNodes')} text={t('noNodesText')} />
      ) : (
        <SimpleGrid cols={{ base: 1, sm: 2, xl: 3 }} spacing="md">
          {nodes.map(node => (
            <NodeCard key={node.name} node={node} />
          ))}
        </SimpleGrid>
      )}
    </>
  )
}
