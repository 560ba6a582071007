// The operator's desk: memberships by state, and what to decide on each of them.

import { Button, Chip, Group, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Empty, Loading, MorePages, ProblemAlert, SimpleTable, useTexts } from '@plinth/web'
import { IconClipboardCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { canBeActivated, SelectionBar, useColumns } from './decision-rows.tsx'
import { networkTexts } from './dictionary.ts'
import { type MembershipState, type NetworkNode, statuses, useMemberships } from './memberships.ts'
import { type PendingDecision, RulingDialog } from './ruling-dialog.tsx'

type StatusChoice = MembershipState | 'ALL'

const isShown = (text: string | null): text is StatusChoice =>
  text === 'ALL' || statuses.some(status => status === text)

/** Keeps the choice in the URL, so that a filtered list can be shared. */
const useChoice = () => {
  const [search, setSearch] = useSearchParams()
  const text = search.get('status')
  const set = (name: string, value: string): void =>
    setSearch(
      before => {
        const after = new URLSearchParams(before)
        if (value === '') after.delete(name)
        else after.set(name, value)
        return after
      },
      { replace: true },
    )
  const status: StatusChoice = isShown(text) ? text : 'PENDING'
  return { status, networkId: search.get('network') ?? '', member: search.get('member') ?? '', set }
}

interface DecisionsProps {
  readonly node: NetworkNode
}

export const DecisionsPage = ({ node }: DecisionsProps) => {
  const t = useTexts(networkTexts)
  const { status, networkId, member, set } = useChoice()
  return (
    <>
      <Stack gap="sm" mb="md">
        <Chip.Group value={status} onChange={value => set('status', String(value))}>
          <Group gap="xs" role="radiogroup" aria-label={t('state')}>
            {[...statuses, 'ALL' as const].map(one => (
              <Chip key={one} value={one}>
                {t(one)}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
        <Group gap="sm">
          <TextInput
            label={t('filterMember')}
            placeholder={t('filterMemberHint')}
            value={member}
            onChange={event => set('member', event.currentTarget.value)}
            style={{ flex: '1 1 14rem', maxWidth: 320 }}
          />
          <TextInput
            label={t('filterNetwork')}
            value={networkId}
            onChange={event => set('network', event.currentTarget.value)}
            style={{ flex: '1 1 10rem', maxWidth: 240 }}
          />
        </Group>
      </Stack>
      <Memberships key={status} node={node} status={status} networkId={networkId} member={member} />
    </>
  )
}

interface MembershipsProps extends DecisionsProps {
  readonly status: StatusChoice
  readonly networkId: string
  readonly member: string
}

const Memberships = ({ node, status, networkId, member }: MembershipsProps) => {
  const t = useTexts(networkTexts)
  const [settled] = useDebouncedValue({ networkId, member }, 300)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [decision, setDecision] = useState<PendingDecision | null>(null)
  const listing = {
    status,
    networkId: settled.networkId.trim() || undefined,
    member: settled.member.trim() || undefined,
    withMissing: true,
  }
  const list = useMemberships(node, 'operator', listing)
  const rows = list.data?.pages.flat() ?? []
  const chosen = rows.filter(({ linearId }) => selected.has(linearId))
  const columns = useColumns({ node, status, rows, selected, setSelected, decide: setDecision })
  if (list.error && !list.data) return <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />
  if (!list.data) return <Loading />
  return (
    <>
      <SelectionBar rows={rows.filter(canBeActivated)} selected={selected} setSelected={setSelected}>
        {chosen.length > 0 && (
          <Button size="xs" onClick={() => setDecision({ ruling: 'activate', memberships: chosen })}>
            {t('activateMany', { count: chosen.length })}
          </Button>
        )}
      </SelectionBar>
      {rows.length === 0 ? (
        <div className="surface">
          <Empty
            icon={IconClipboardCheck}
            title={t(status === 'PENDING' ? 'noneArePending' : 'noMemberships')}
            text={t('noMembershipsText')}
          />
        </div>
      ) : (
        <SimpleTable caption={t('decisions')} columns={columns} rows={rows} rowKey={({ linearId }) => linearId} />
      )}
      <MorePages list={list} />
      <RulingDialog
        node={node}
        decision={decision}
        onClose={() => setDecision(null)}
        onDone={() => setSelected(new Set())}
      />
    </>
  )
}
