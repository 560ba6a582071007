import { Button, Checkbox, Stack, TagsInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { faultsByMember } from '../../api/problem.ts'
import { createItem } from '../../api/records.ts'
import { commonTexts } from '../../common/dictionary.ts'
import { ProblemAlert } from '../../common/problem-alert.tsx'
import { faultText } from '../../common/problem-text.ts'
import { useText } from '../../i18n/dictionary.ts'
import { useLanguage } from '../../i18n/language.ts'
import type { ApiKey } from './api-keys.tsx'
import { accountTexts } from './dictionary.ts'

const days = 86_400_000

/** The day by which a key ends unless another is chosen: 90 days from now. */
const usualEnd = (): string => new Date(Date.now() + 90 * days).toISOString().slice(0, 10)

const members = new Set(['name', 'scopes', 'expirationDate', 'readOnly'])

export const KeyForm = ({ onCreated }: { readonly onCreated: (apiKey: ApiKey) => void }) => {
  const t = useText(accountTexts)
  const common = useText(commonTexts)
  const language = useLanguage()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<string[]>(['read'])
  const [readOnly, setReadOnly] = useState(false)
  const [until, setUntil] = useState(usualEnd)
  const create = useMutation({
    mutationFn: () => {
      const expirationDate = until === '' ? null : new Date(`${until}T23:59:59`).toISOString()
      return createItem<ApiKey>('apiKeys', { name, scopes, readOnly, expirationDate })
    },
    onSuccess: ({ record }) => onCreated(record),
  })
  const faults = faultsByMember(create.error)
  const faultOf = (member: string) => {
    const fault = faults.get(member)
    return fault && faultText(fault, language)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!create.isPending) create.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={t('keyName')}
          description={t('keyNameHint')}
          required
          maxLength={100}
          data-autofocus
          value={name}
          onChange={event => setName(event.currentTarget.value)}
          error={faultOf('name')}
        />
        <TagsInput
          label={t('scopes')}
          description={t('scopesHint')}
          data={['read', 'write']}
          value={scopes}
          onChange={setScopes}
          clearButtonProps={{ 'aria-label': common('clear') }}
          error={faultOf('scopes')}
        />
        <Checkbox
          label={t('readOnly')}
          checked={readOnly}
          onChange={event => setReadOnly(event.currentTarget.checked)}
        />
        <TextInput
          type="date"
          label={t('expires')}
          required
          value={until}
          onChange={event => setUntil(event.currentTarget.value)}
          error={faultOf('expirationDate')}
        />
        <ProblemAlert error={create.error} shownElsewhere={members} />
        <Button type="submit" loading={create.isPending}>
          {t('createKey')}
        </Button>
      </Stack>
    </form>
  )
}
