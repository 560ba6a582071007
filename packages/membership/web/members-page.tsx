// The active members of the networks in which the node is one itself.

import { Checkbox, Group, Select, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { isProblem } from '@plinth/client'
import {
  AsyncButton,
  Empty,
  hasRole,
  Loading,
  MorePages,
  notify,
  ProblemAlert,
  type SimpleColumn,
  SimpleTable,
  useTexts,
  useUser,
} from '@plinth/web'
import { IconLock, IconRefresh, IconUsersGroup } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { networkTexts } from './dictionary.ts'
import { metadataLine, NetworkName, Party, When } from './membership-cells.tsx'
import {
  type MembershipQuery,
  type NetworkMembership,
  type NetworkNode,
  networkKey,
  organisationOf,
  refreshFromOperator,
  useMemberships,
} from './memberships.ts'

interface MembersProps {
  readonly node: NetworkNode
  readonly listing: MembershipQuery
}

const Members = ({ node, listing }: MembersProps) => {
  const t = useTexts(networkTexts)
  const maySteer = hasRole(useUser(), 'ROLE_SITE_OPERATOR')
  const list = useMemberships(node, 'member', listing)
  const base = `/network/${encodeURIComponent(node.name)}/members`
  if (isProblem(list.error, 'forbidden'))
    return (
      <div className="surface">
        <Empty icon={IconLock} title={t('membersForbidden')} text={t('membersForbiddenText')} />
      </div>
    )
  if (list.error && !list.data) return <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />
  if (!list.data) return <Loading />
  const rows = list.data.pages.flat()
  const columns: readonly SimpleColumn<NetworkMembership>[] = [
    {
      key: 'member',
      title: t('member'),
      render: ({ member, linearId }) => (
        <Party party={member} to={maySteer ? `${base}/${encodeURIComponent(linearId)}` : undefined} />
      ),
    },
    { key: 'network', title: t('network'), render: row => <NetworkName membership={row} /> },
    { key: 'metadata', title: t('metadata'), render: row => metadataLine(row.membershipMetadata) },
    { key: 'issued', title: t('issued'), nowrap: true, render: row => <When iso={row.issued} /> },
  ]
  if (rows.length === 0)
    return (
      <div className="surface">
        <Empty icon={IconUsersGroup} title={t('membersNone')} text={t('noMembershipsText')} />
      </div>
    )
  return (
    <>
      <SimpleTable
        caption={t('membersOf', { operator: organisationOf(listing.bno ?? '') })}
        columns={columns}
        rows={rows}
        rowKey={({ linearId }) => linearId}
      />
      <MorePages list={list} />
    </>
  )
}

export const MembersPage = ({ node }: { readonly node: NetworkNode }) => {
  const t = useTexts(networkTexts)
  const client = useQueryClient()
  const operators = node.operators ?? []
  const [bno, setBno] = useState(operators[0])
  const [text, setText] = useState({ networkId: '', member: '' })
  const [withMissing, setWithMissing] = useState(false)
  const [settled] = useDebouncedValue(text, 300)
  const listing: MembershipQuery = {
    status: 'ACTIVE',
    bno,
    networkId: settled.networkId.trim() || undefined,
    member: settled.member.trim() || undefined,
    withMissing,
  }
  const refresh = async () => {
    await refreshFromOperator(node, listing)
    await client.invalidateQueries({ queryKey: networkKey })
    notify(t('refreshed'))
  }
  if (bno === undefined) return <ProblemAlert error={new Error(t('noOperators'))} />
  return (
    <>
      <Group gap="sm" align="flex-end" mb="sm">
        {operators.length > 1 && (
          <Select
            label={t('filterOperator')}
            data={operators.map(party => ({ value: party, label: organisationOf(party) }))}
            value={bno}
            onChange={party => party !== null && setBno(party)}
            allowDeselect={false}
            style={{ flex: '1 1 12rem', maxWidth: 260 }}
          />
        )}
        <TextInput
          label={t('filterMember')}
          placeholder={t('filterMemberHint')}
          value={text.member}
          onChange={event => setText({ ...text, member: event.currentTarget.value })}
          style={{ flex: '1 1 14rem', maxWidth: 300 }}
        />
        <TextInput
          label={t('filterNetwork')}
          value={text.networkId}
          onChange={event => setText({ ...text, networkId: event.currentTarget.value })}
          style={{ flex: '1 1 10rem', maxWidth: 220 }}
        />
        <AsyncButton variant="default" leftSection={<IconRefresh size={16} aria-hidden />} onPress={refresh}>
          {t('refresh')}
        </AsyncButton>
      </Group>
      <Checkbox
        label={t('missing')}
        checked={withMissing}
        onChange={event => setWithMissing(event.currentTarget.checked)}
        mb="md"
      />
      <Members node={node} listing={listing} />
    </>
  )
}
