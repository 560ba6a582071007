import { Button, Checkbox, Stack, TagsInput, TextInput } from '@mantine/core'
import { commonTexts, faultTextsByField, ProblemAlert, useTexts } from '@plinth/web'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { accountTexts } from './dictionary.ts'
import { type ApiKey, client } from './service.ts'

const days = 86_400_000

/** The day by which a key ends unless another is chosen: 90 days from now. */
const usualEnd = (): string => new Date(Date.now() + 90 * days).toISOString().slice(0, 10)

const fields = new Set(['name', 'scopes', 'expirationDate', 'readOnly'])

export const KeyForm = ({ onCreated }: { readonly onCreated: (apiKey: ApiKey) => void }) => {
  const t = useTexts(accountTexts)
  const common = useTexts(commonTexts)
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<string[]>(['read'])
  const [readOnly, setReadOnly] = useState(false)
  const [until, setUntil] = useState(usualEnd)
  const create = useMutation({
    mutationFn: async () => {
      const expirationDate = until === '' ? null : new Date(`${until}T23:59:59`).toISOString()
      return client.apiKeys.create({ name, scopes, readOnly, expirationDate })
    },
    onSuccess: onCreated,
  })
  const faults = faultTextsByField(create.error)
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
          error={faults.get('name')}
        />
        <TagsInput
          label={t('scopes')}
          description={t('scopesHint')}
          data={['read', 'write']}
          value={scopes}
          onChange={setScopes}
          clearButtonProps={{ 'aria-label': common('clear') }}
          error={faults.get('scopes')}
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
          error={faults.get('expirationDate')}
        />
        <ProblemAlert error={create.error} fieldsWithErrors={fields} />
        <Button type="submit" loading={create.isPending}>
          {t('createKey')}
        </Button>
      </Stack>
    </form>
  )
}
