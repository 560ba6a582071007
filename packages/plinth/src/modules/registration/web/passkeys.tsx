// Passkeys, which open the account in place of the password.

import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { isProblem } from '@plinth/client'
import {
  ConfirmButton,
  createPasskey,
  Dialog,
  get,
  notify,
  ProblemAlert,
  request,
  supportsPasskeys,
  TextForm,
  useFormats,
  useTexts,
} from '@plinth/web'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { passkeyTexts } from './passkeys-dictionary.ts'
import { Section } from './section.tsx'

interface Passkey {
  readonly id: string
  readonly name: string
  readonly synced: boolean
  readonly created: string
  readonly lastUsed: string | null
}

const path = '/api/auth/passkeys'
const queryKey = ['passkeys']

const pathOf = ({ id }: Passkey): string => `${path}/${encodeURIComponent(id)}`

interface NameDialogProps {
  readonly title: string
  readonly submit: string
  readonly value?: string
  readonly onSubmit: (name: string) => Promise<void>
  readonly onClose: () => void
}

const NameDialog = ({ title, submit, value = '', onSubmit, onClose }: NameDialogProps) => {
  const t = useTexts(passkeyTexts)
  return (
    <Dialog opened onClose={onClose} title={title}>
      <TextForm
        fields={[{ name: 'name', label: t('name'), hint: t('nameHint'), required: true, value }]}
        submit={submit}
        onSubmit={({ name }) => onSubmit(name)}
        explain={error => (error instanceof Error && error.name === 'InvalidStateError' ? t('alreadyHere') : null)}
        onCancel={onClose}
        autoFocus
      />
    </Dialog>
  )
}

const PasskeyRow = ({ passkey, onRename }: { readonly passkey: Passkey; readonly onRename: () => void }) => {
  const t = useTexts(passkeyTexts)
  const formats = useFormats()
  const client = useQueryClient()
  const { name, synced, created, lastUsed } = passkey
  const remove = async () => {
    try {
      await request(pathOf(passkey), { method: 'DELETE' })
    } catch (error) {
      throw isProblem(error, 'conflict') ? new Error(t('onlyWayIn')) : error
    }
    await client.invalidateQueries({ queryKey })
    notify(t('removed', { name }))
  }
  return (
    <Group component="li" justify="space-between" align="flex-start">
      <div>
        <Group gap="xs">
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          {synced && (
            <Badge variant="light" color="gray" tt="none">
              {t('synced')}
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {[
            lastUsed ? t('lastUsed', { ago: formats.ago(lastUsed) }) : t('neverUsed'),
            t('since', { date: formats.dateTime(created) }),
          ].join(' · ')}
        </Text>
      </div>
      <Group gap="xs">
        <Button size="xs" variant="default" aria-label={t('renameOne', { name })} onClick={onRename}>
          {t('rename')}
        </Button>
        <ConfirmButton
          size="xs"
          variant="light"
          color="red"
          aria-label={t('removeOne', { name })}
          question={t('removeQuestion', { name })}
          explanation={t('removeText')}
          onConfirm={remove}
        >
          {t('remove')}
        </ConfirmButton>
      </Group>
    </Group>
  )
}

/** Shows the passkeys; nothing in browsers that know none. */
export const Passkeys = () => {
  const t = useTexts(passkeyTexts)
  const client = useQueryClient()
  const [isAdding, setIsAdding] = useState(false)
  const [renamed, setRenamed] = useState<Passkey | null>(null)
  const { data, error, refetch } = useQuery({ queryKey, queryFn: () => get<readonly Passkey[]>(path), retry: false })
  const done = async (text: string) => {
    setIsAdding(false)
    setRenamed(null)
    await client.invalidateQueries({ queryKey })
    notify(text)
  }
  const add = async (name: string) => {
    const answer = await createPasskey(`${path}/options`)
    if (!answer) return
    await request(path, { method: 'POST', body: { ...answer, name } })
    await done(t('added', { name }))
  }
  const rename = async (passkey: Passkey, name: string) => {
    await request(pathOf(passkey), { method: 'PUT', body: { name } })
    await done(t('renamed', { name }))
  }
  if (!supportsPasskeys()) return null
  return (
    <Section title={t('passkeys')} about={t('about')}>
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {data && data.length > 0 && (
        <Stack component="ul" gap="md" p={0} m={0} mb="md" style={{ listStyle: 'none' }}>
          {data.map(passkey => (
            <PasskeyRow key={passkey.id} passkey={passkey} onRename={() => setRenamed(passkey)} />
          ))}
        </Stack>
      )}
      <Button onClick={() => setIsAdding(true)}>{t('add')}</Button>
      {isAdding && (
        <NameDialog title={t('add')} submit={t('create')} onSubmit={add} onClose={() => setIsAdding(false)} />
      )}
      {renamed && (
        <NameDialog
          title={t('rename')}
          submit={t('save')}
          value={renamed.name}
          onSubmit={name => rename(renamed, name)}
          onClose={() => setRenamed(null)}
        />
      )}
    </Section>
  )
}
