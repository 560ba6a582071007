// The operator's desk: memberships by state, and what to decide on each of them.

import { Button, Checkbox, Chip, Group, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconClipboardCheck } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Empty } from '../../common/empty.tsx'
import { Loading } from '../../common/loading.tsx'
import { ProblemAlert } from '../../common/problem-alert.tsx'
import { type Column, SimpleTable } from '../../common/simple-table.tsx'
import { useText } from '../../i18n/dictionary.ts'
import { networkTexts } from './dictionary.ts'
import { NetworkName, Party, When } from './membership-cells.tsx'
import {
  type Membership,
  type NetworkNode,
  organisationOf,
  rulingsFrom,
  type Status,
  statuses,
  useMemberships,
} from './memberships.ts'
import { type Decision, RulingDialog } from './ruling-dialog.tsx'
import { StatusBadge } from './status-badge.tsx'

type Shown = Status | 'ALL'

const isShown = (text: string | null): text is Shown => text === 'ALL' || statuses.some(status => status === text)

/** In the address, so that a list can be sent to somebody. */
const useChoice = () => {
  const [search, setSearch] = useSearchParams()
  const given = search.get('status')
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
  const status: Shown = isShown(given) ? given : 'PENDING'
  return { status, networkId: search.get('network') ?? '', member: search.get('member') ?? '', set }
}

interface DecisionsProps {
  readonly node: NetworkNode
}

export const DecisionsPage = ({ node }: DecisionsProps) => {
  const t = useText(networkTexts)
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
  readonly status: Shown
  readonly networkId: string
  readonly member: string
}

const Memberships = ({ node, status, networkId, member }: MembershipsProps) => {
  const t = useText(networkTexts)
  const [settled] = useDebouncedValue({ networkId, member }, 300)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [decision, setDecision] = useState<Decision | null>(null)
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
  if (list.error) return <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />
  if (!list.data) return <Loading />
  return (
    <>
      <SelectionBar rows={rows.filter(canBeActivated)} selected={selected} setSelected={setSelected}>
        <Button
          size="xs"
          disabled={chosen.length === 0}
          onClick={() => setDecision({ ruling: 'activate', memberships: chosen })}
        >
          {t('activateMany', { count: chosen.length })}
        </Button>
      </SelectionBar>
      {rows.length === 0 ? (
        <div className="surface">
          <Empty
            icon={IconClipboardCheck}
            title={t(status === 'PENDING' ? 'nobodyPending' : 'nobody')}
            text={t('nobodyText')}
          />
        </div>
      ) : (
        <SimpleTable caption={t('decisions')} columns={columns} rows={rows} rowKey={({ linearId }) => linearId} />
      )}
      {list.hasNextPage && (
        <Button variant="default" mt="sm" onClick={() => void list.fetchNextPage()} loading={list.isFetchingNextPage}>
          {t('showMore')}
        </Button>
      )}
      <RulingDialog
        node={node}
        decision={decision}
        onClose={() => setDecision(null)}
        onDone={() => setSelected(new Set())}
      />
    </>
  )
}

interface SelectionBarProps {
  readonly rows: readonly Membership[]
  readonly selected: ReadonlySet<string>
  readonly setSelected: (selected: ReadonlySet<string>) => void
  readonly children: ReactNode
}

const SelectionBar = ({ rows, selected, setSelected, children }: SelectionBarProps) => {
  const t = useText(networkTexts)
  if (rows.length < 2) return null
  const all = rows.map(({ linearId }) => linearId)
  const count = all.filter(linearId => selected.has(linearId)).length
  return (
    <Group className="surface" px="md" py="xs" mb="sm" justify="space-between">
      <Checkbox
        label={t('selectAll')}
        checked={count === all.length}
        indeterminate={count > 0 && count < all.length}
        onChange={() => setSelected(new Set(count === all.length ? [] : all))}
      />
      <Group gap="sm">
        <Text size="sm" c="dimmed" role="status">
          {count > 0 && t('selected', { count })}
        </Text>
        {children}
      </Group>
    </Group>
  )
}

interface ColumnParts {
  readonly node: NetworkNode
  readonly status: Shown
  readonly rows: readonly Membership[]
  readonly selected: ReadonlySet<string>
  readonly setSelected: (selected: ReadonlySet<string>) => void
  readonly decide: (decision: Decision) => void
}

const canBeActivated = ({ status }: Membership): boolean => rulingsFrom[status].includes('activate')

const useColumns = (parts: ColumnParts): readonly Column<Membership>[] => {
  const { node, status, rows, selected, setSelected, decide } = parts
  const t = useText(networkTexts)
  const toggle = (linearId: string): void => {
    const after = new Set(selected)
    if (!after.delete(linearId)) after.add(linearId)
    setSelected(after)
  }
  const base = `/network/${encodeURIComponent(node.name)}/decisions`
  const selecting: Column<Membership> = {
    key: 'select',
    title: t('selection'),
    hideTitle: true,
    width: 48,
    render: row =>
      canBeActivated(row) && (
        <Checkbox
          aria-label={t('select', { member: organisationOf(row.member) })}
          checked={selected.has(row.linearId)}
          onChange={() => toggle(row.linearId)}
        />
      ),
  }
  return [
    ...(rows.filter(canBeActivated).length > 1 ? [selecting] : []),
    {
      key: 'member',
      title: t('member'),
      render: row => <Party party={row.member} to={`${base}/${encodeURIComponent(row.linearId)}`} />,
    },
    { key: 'network', title: t('network'), render: row => <NetworkName membership={row} /> },
    ...(status === 'ALL'
      ? [{ key: 'state', title: t('state'), render: (row: Membership) => <StatusBadge status={row.status} /> }]
      : []),
    { key: 'changed', title: t('changed'), nowrap: true, render: row => <When iso={row.modified} /> },
    ...(status === 'PENDING' ? [] : [{ key: 'reason', title: t('reason'), render: (row: Membership) => row.reason }]),
    {
      key: 'actions',
      title: t('actions'),
      hideTitle: true,
      render: row => (
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          {rulingsFrom[row.status].map((ruling, at) => (
            <Button
              key={ruling}
              size="xs"
              variant={at === 0 && ruling === 'activate' ? 'light' : 'default'}
              aria-label={t(`${ruling}Named`, { member: organisationOf(row.member) })}
              onClick={() => decide({ ruling, memberships: [row] })}
            >
              {t(ruling)}
            </Button>
          ))}
        </Group>
      ),
    },
  ]
}
