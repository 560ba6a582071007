import { Badge, Group, Text } from '@mantine/core'
import {
  ConfirmButton,
  Empty,
  hasRole,
  Loading,
  notify,
  ProblemAlert,
  type SimpleColumn,
  SimpleTable,
  useTexts,
  useUser,
} from '@plinth/web'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { managementTexts } from './dictionary.ts'
import { client, type LiveSession } from './service.ts'
import { recordsKey, useRecords } from './use-records.tsx'
import { When } from './when.tsx'

const { stompSessions } = client

const useColumns = (): readonly SimpleColumn<LiveSession>[] => {
  const t = useTexts(managementTexts)
  const queries = useQueryClient()
  const self = useUser()
  const isAdmin = hasRole(self)
  const end = async (pk: string) => {
    await stompSessions.remove(pk)
    notify(t('ended'))
    await queries.invalidateQueries({ queryKey: recordsKey('stompSessions') })
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
  const t = useTexts(managementTexts)
  const { rows, total, error, retry, more } = useRecords('stompSessions', stompSessions, { sort: '-connectedDate' })
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
