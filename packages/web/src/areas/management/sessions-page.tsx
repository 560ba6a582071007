import { Badge, Group, Text } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type Item, removeItem } from '../../api/records.ts'
import { ConfirmButton } from '../../common/confirm-button.tsx'
import { Empty } from '../../common/empty.tsx'
import { Loading } from '../../common/loading.tsx'
import { notify } from '../../common/notify.ts'
import { ProblemAlert } from '../../common/problem-alert.tsx'
import { type SimpleColumn, SimpleTable } from '../../common/simple-table.tsx'
import { useText } from '../../i18n/dictionary.ts'
import { hasRole } from '../../session/roles.ts'
import { useUser } from '../../session/session.tsx'
import { managementTexts } from './dictionary.ts'
import { recordsKey, useRecords } from './use-records.tsx'
import { When } from './when.tsx'

interface LiveSession extends Item {
  readonly user: { readonly pk: string; readonly username?: string } | null
  readonly connectedDate: string | null
  readonly userAgent: string | null
  readonly remoteAddress: string | null
}

const useColumns = (): readonly SimpleColumn<LiveSession>[] => {
  const t = useText(managementTexts)
  const client = useQueryClient()
  const self = useUser()
  const isAdmin = hasRole(self)
  const end = async (pk: string) => {
    await removeItem('stompSessions', pk)
    notify(t('ended'))
    await client.invalidateQueries({ queryKey: recordsKey('stompSessions') })
  }
  const nameOf = ({ user }: LiveSession): string => user?.username ?? t('removed')
  return [
    {
      key: 'user',
      title: t('user'),
      render: row => (
        <Group gap="xs" display="inline-flex">
          <Text fw={600} size="sm">
            {nameOf(row)}
          </Text>
          {row.user?.pk === self.pk && (
            <Badge variant="light" color="gray" tt="none">
              {t('you')}
            </Badge>
          )}
        </Group>
      ),
    },
    { key: 'since', title: t('connected'), nowrap: true, render: row => <When iso={row.connectedDate} /> },
    {
      key: 'program',
      title: t('program'),
      render: row => (
        <Text size="sm" c="dimmed" lineClamp={2}>
          {row.userAgent ?? t('unknown')}
        </Text>
      ),
    },
    { key: 'address', title: t('address'), nowrap: true, render: row => row.remoteAddress ?? t('unknown') },
    {
      key: 'actions',
      title: t('actions'),
      hideTitle: true,
      align: 'right',
      render: row =>
        (isAdmin || row.user?.pk === self.pk) && (
          <ConfirmButton
            size="xs"
            variant="default"
            question={t('endQuestion')}
            explanation={t('endText')}
            aria-label={t('endNamed', { name: nameOf(row) })}
            onConfirm={() => end(row.pk)}
          >
            {t('end')}
          </ConfirmButton>
        ),
    },
  ]
}

const SessionsPage = () => {
  const t = useText(managementTexts)
  const { rows, total, error, retry, more } = useRecords<LiveSession>('stompSessions', { sort: '-connectedDate' })
  const columns = useColumns()
  if (error) return <ProblemAlert error={error} onRetry={retry} />
  if (!rows) return <Loading />
  if (rows.length === 0)
    return (
      <div className="surface">
        <Empty icon={IconPlugConnectedX} title={t('noSessions')} text={t('noSessionsText')} />
      </div>
    )
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs" role="status">
        {t('sessionCount', { count: total })}
      </Text>
      <SimpleTable caption={t('sessions')} rows={rows} rowKey={({ pk }) => pk} columns={columns} />
      {more}
    </>
  )
}

export default SessionsPage
