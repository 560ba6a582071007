import { Alert, Badge, Button, Group, Stack, Text } from '@mantine/core'
import {
  AsyncButton,
  Dialog,
  Empty,
  get,
  hasSignedInRecently,
  Loading,
  notify,
  ProblemAlert,
  request,
  type SimpleColumn,
  SimpleTable,
  saveFile,
  saveLink,
  TextForm,
  useTexts,
} from '@plinth/web'
import { IconDownload } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { upkeepTexts } from './upkeep-dictionary.ts'
import { When } from './when.tsx'

interface Backup {
  readonly name: string
  readonly created: string
  readonly complete: boolean
  readonly encrypted: boolean
  readonly own: boolean
}

interface BackupList {
  readonly place: string
  readonly running: boolean
  readonly error: string | null
  readonly backups: readonly Backup[]
}

const path = '/api/management/backups'
const backupsKey = ['management', 'backups']
const refetchInterval = 3000

const useBackups = () =>
  useQuery({ queryKey: backupsKey, queryFn: ({ signal }) => get<BackupList>(path, { signal }), refetchInterval })

const archiveOf = (name: string): string => `${path}/${encodeURIComponent(name)}/archive`

/** Asks the service first, so that a session which is about to end is refreshed. */
const download = async (name: string): Promise<void> => {
  if (await hasSignedInRecently()) saveLink(archiveOf(name), `${name}.zip`)
}

interface PassphraseDialogProps {
  /** The backup; null while the dialog is closed. */
  readonly name: string | null
  readonly onClose: () => void
}

/** Backups that are stored in plain are sent encrypted. */
const PassphraseDialog = ({ name, onClose }: PassphraseDialogProps) => {
  const t = useTexts(upkeepTexts)
  const send = async (passphrase: string, backup: string): Promise<void> => {
    const options = { method: 'POST', body: { passphrase }, responseType: 'blob' } as const
    saveFile((await request<Blob>(archiveOf(backup), options)).body, `${backup}.zip`)
    onClose()
  }
  const field = { name: 'passphrase', type: 'password', autoComplete: 'new-password', required: true } as const
  return (
    <Dialog opened={name !== null} onClose={onClose} title={t('encryptDownload')}>
      <Stack>
        <Text size="sm">{t('passphraseText')}</Text>
        {name !== null && (
          <TextForm
            fields={[{ ...field, label: t('passphrase'), hint: t('passphraseHint') }]}
            submit={t('download')}
            onSubmit={({ passphrase }) => send(passphrase, name)}
            onCancel={onClose}
            autoFocus
          />
        )}
      </Stack>
    </Dialog>
  )
}

const useColumns = (onPlain: (name: string) => void): readonly SimpleColumn<Backup>[] => {
  const t = useTexts(upkeepTexts)
  return [
    { key: 'created', title: t('created'), nowrap: true, render: ({ created }) => <When iso={created} /> },
    { key: 'name', title: t('name'), render: ({ name }) => name },
    {
      key: 'state',
      title: t('state'),
      render: ({ complete, encrypted, own }) => (
        <Group gap="xs">
          <Badge variant="light" color={complete ? 'teal' : 'yellow'} tt="none">
            {t(complete ? 'complete' : 'incomplete')}
          </Badge>
          {complete && !encrypted && (
            <Badge variant="light" color="yellow" tt="none">
              {t('plain')}
            </Badge>
          )}
          {!own && <Text size="xs">{t('foreign')}</Text>}
        </Group>
      ),
    },
    {
      key: 'actions',
      title: t('actions'),
      hideTitle: true,
      align: 'right',
      render: ({ name, complete, encrypted, own }) =>
        complete &&
        own && (
          <AsyncButton
            size="xs"
            variant="default"
            leftSection={<IconDownload size={14} aria-hidden />}
            aria-label={t('downloadNamed', { name })}
            onPress={async () => (encrypted ? download(name) : onPlain(name))}
          >
            {t('download')}
          </AsyncButton>
        ),
    },
  ]
}

const BackupsPage = () => {
  const t = useTexts(upkeepTexts)
  const [plain, setPlain] = useState<string | null>(null)
  const columns = useColumns(setPlain)
  const client = useQueryClient()
  const { data, error, refetch } = useBackups()
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  const start = async () => {
    await request(path, { method: 'POST' })
    notify(t('started'))
    await client.invalidateQueries({ queryKey: backupsKey })
  }
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {t('storedIn', { place: data.place })} {t('downloadHint')}
        </Text>
        {data.running ? <Button loading>{t('start')}</Button> : <AsyncButton onPress={start}>{t('start')}</AsyncButton>}
      </Group>
      {data.running && <Text role="status">{t('running')}</Text>}
      {data.error !== null && <Alert color="red">{t('failed', { reason: data.error })}</Alert>}
      {data.backups.length === 0 ? (
        <Empty title={t('none')} text={t('noneText')} />
      ) : (
        <SimpleTable caption={t('backups')} rows={data.backups} rowKey={({ name }) => name} columns={columns} />
      )}
      <PassphraseDialog name={plain} onClose={() => setPlain(null)} />
    </Stack>
  )
}

export default BackupsPage
