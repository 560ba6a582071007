// The rows of the operator's desk, and how several of them are chosen.

import { Button, Checkbox, Group, Text } from '@mantine/core'
import { type SimpleColumn, useTexts } from '@plinth/web'
import type { ReactNode } from 'react'
import { networkTexts } from './dictionary.ts'
import { NetworkName, Party, When } from './membership-cells.tsx'
import {
  type MembershipState,
  type NetworkMembership,
  type NetworkNode,
  organisationOf,
  rulingsFrom,
} from './memberships.ts'
import type { PendingDecision } from './ruling-dialog.tsx'
import { StatusBadge } from './status-badge.tsx'

interface SelectionBarProps {
  readonly rows: readonly NetworkMembership[]
  readonly selected: ReadonlySet<string>
  readonly setSelected: (selected: ReadonlySet<string>) => void
  readonly children: ReactNode
}

export const SelectionBar = ({ rows, selected, setSelected, children }: SelectionBarProps) => {
  const t = useTexts(networkTexts)
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
  readonly status: MembershipState | 'ALL'
  readonly rows: readonly NetworkMembership[]
  readonly selected: ReadonlySet<string>
  readonly setSelected: (selected: ReadonlySet<string>) => void
  readonly decide: (decision: PendingDecision) => void
}

export const canBeActivated = ({ status }: NetworkMembership): boolean => rulingsFrom[status].includes('activate')

export const useColumns = (parts: ColumnParts): readonly SimpleColumn<NetworkMembership>[] => {
  const { node, status, rows, selected, setSelected, decide } = parts
  const t = useTexts(networkTexts)
  const toggle = (linearId: string): void => {
    const after = new Set(selected)
    if (!after.delete(linearId)) after.add(linearId)
    setSelected(after)
  }
  const base = `/network/${encodeURIComponent(node.name)}/decisions`
  const selecting: SimpleColumn<NetworkMembership> = {
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
      ? [{ key: 'state', title: t('state'), render: (row: NetworkMembership) => <StatusBadge status={row.status} /> }]
      : []),
    { key: 'changed', title: t('changed'), nowrap: true, render: row => <When iso={row.modified} /> },
    ...(status === 'PENDING'
      ? []
      : [{ key: 'reason', title: t('reason'), render: (row: NetworkMembership) => row.reason }]),
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
