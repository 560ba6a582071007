import { Badge, Button, Group, SegmentedControl, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { containing, toFilter } from '@plinth/client'
import {
  ConfirmButton,
  Empty,
  Loading,
  notify,
  ProblemAlert,
  type SimpleColumn,
  SimpleTable,
  useFormats,
  useTexts,
} from '@plinth/web'
import { IconMailOff } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { managementTexts } from './dictionary.ts'
import { isPart, useHealth } from './health.ts'
import { client, type Mail, type MailState } from './service.ts'
import { recordsKey, useRecords } from './use-records.tsx'
import { When } from './when.tsx'

const states: Readonly<Record<MailState, string>> = { waiting: 'yellow', sent: 'teal', failed: 'red' }
const { mails } = client

const filterOf = (state: MailState | 'any', recipient: string): string | undefined => {
  const text = recipient.trim()
  return toFilter({
    ...(state !== 'any' && { state }),
    ...(text !== '' && { recipient: { ilike: containing(text) } }),
  })
}

/** The service keeps the codes alone: the words of a mail server may repeat what stands in the mail. */
const faultIn = (lastError: string): 'mailRefused' | 'mailLogin' | 'mailUnreachable' | 'mailNotSent' => {
  if (/^E(?:ENVELOPE|MESSAGE)\b/.test(lastError)) return 'mailRefused'
  if (/^EAUTH\b/.test(lastError)) return 'mailLogin'
  return /^E(?:CONN|SOCKET|TIMEDOUT|DNS)/.test(lastError) ? 'mailUnreachable' : 'mailNotSent'
}

/** What was handed to a mail server is not kept here. */
const useIsKept = (): boolean => {
  const { data } = useHealth({ isLive: false })
  return isPart(data?.mail) && data.mail.location === 'outbox'
}

const useColumns = (isKept: boolean): readonly SimpleColumn<Mail>[] => {
  const t = useTexts(managementTexts)
  const formats = useFormats()
  const queries = useQueryClient()
  const remove = async (pk: string) => {
    await mails.remove(pk)
    notify(t('mailDeleted'))
    await queries.invalidateQueries({ queryKey: recordsKey('mails') })
  }
  return [
    {
      key: 'state',
      title: t('state'),
      render: ({ state }) => (
        <Badge variant="light" color={states[state]} tt="none">
          {t(state)}
        </Badge>
      ),
    },
    { key: 'recipient', title: t('recipient'), render: ({ recipient }) => recipient },
    { key: 'subject', title: t('subject'), render: ({ subject }) => subject },
    { key: 'created', title: t('created'), nowrap: true, render: ({ createdDate }) => <When iso={createdDate} /> },
    {
      key: 'attempts',
      title: t('attempts'),
      render: ({ attempts, lastError, nextAttempt, state }) => (
        <>
          {formats.number(attempts)}
          {state === 'waiting' &&
            nextAttempt &&
            attempts > 0 &&
            `, ${t('nextTry', { when: formats.ago(nextAttempt) })}`}
          {lastError && (
            <Text size="xs" c="var(--mantine-color-error)">
              {t(faultIn(lastError))} ({lastError})
            </Text>
          )}
        </>
      ),
    },
    {
      key: 'actions',
      title: t('actions'),
      hideTitle: true,
      align: 'right',
      render: ({ pk, recipient, state }) => (
        <Group gap="xs" wrap="nowrap" justify="flex-end">
          {isKept && state === 'sent' && (
            <Button
              component="a"
              size="xs"
              variant="default"
              href={`/api/rest/mails/${encodeURIComponent(pk)}/message`}
              download
              aria-label={t('downloadNamed', { recipient })}
            >
              {t('download')}
            </Button>
          )}
          <ConfirmButton
            size="xs"
            variant="default"
            question={t('deleteMailQuestion')}
            explanation={t('deleteMailText')}
            aria-label={t('deleteMailNamed', { recipient })}
            onConfirm={() => remove(pk)}
          >
            {t('deleteMail')}
          </ConfirmButton>
        </Group>
      ),
    },
  ]
}

const MailsPage = () => {
  const t = useTexts(managementTexts)
  const [state, setState] = useState<MailState | 'any'>('any')
  const [recipient, setRecipient] = useState('')
  const [settled] = useDebouncedValue(recipient, 300)
  const { rows, error, retry, more } = useRecords('mails', mails, {
    sort: '-createdDate',
    filter: filterOf(state, settled),
  })
  const isKept = useIsKept()
  const columns = useColumns(isKept)
  return (
    <>
      <Group gap="sm" align="flex-end" mb={isKept ? 'xs' : 'md'}>
        <SegmentedControl
          aria-label={t('state')}
          value={state}
          onChange={value => setState(value as MailState | 'any')}
          data={(['any', 'waiting', 'sent', 'failed'] as const).map(value => ({ value, label: t(value) }))}
        />
        <TextInput
          type="search"
          label={t('filterRecipient')}
          value={recipient}
          onChange={event => setRecipient(event.currentTarget.value)}
          style={{ flex: '1 1 14rem', maxWidth: 320 }}
        />
      </Group>
      {isKept && (
        <Text size="sm" c="dimmed" mb="md">
          {t('mailHint')}
        </Text>
      )}
      {error ? (
        <ProblemAlert error={error} onRetry={retry} />
      ) : !rows ? (
        <Loading />
      ) : rows.length === 0 ? (
        <div className="surface">
          <Empty icon={IconMailOff} title={t('noMails')} text={t('noMailsText')} />
        </div>
      ) : (
        <SimpleTable caption={t('mails')} rows={rows} rowKey={({ pk }) => pk} columns={columns} />
      )}
      {more}
    </>
  )
}

export default MailsPage
