import { Alert, Box, Button, Stack, Text, Textarea, Title } from '@mantine/core'
import { isProblem, newKey } from '@plinth/client'
import { ProblemAlert, request, useTexts } from '@plinth/web'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { friendsTexts } from './dictionary.ts'

const fates = { invited: 'teal', existing: 'blue', duplicate: 'gray', invalid: 'red' } as const
type Fate = keyof typeof fates
type Outcome = Readonly<Record<Fate, readonly string[]>>

const invite = async ({ lines, key }: { lines: string; key: string }): Promise<Outcome> =>
  (
    await request<Outcome>('/api/rest/invitations', {
      method: 'POST',
      body: { addressLines: lines },
      idempotencyKey: key,
    })
  ).body

const OutcomeList = ({ outcome }: { readonly outcome: Outcome }) => {
  const t = useTexts(friendsTexts)
  return (
    <Stack gap="xs" role="status" aria-label={t('outcome')}>
      {(Object.keys(fates) as Fate[])
        .filter(fate => outcome[fate].length > 0)
        .map(fate => (
          <Alert key={fate} color={fates[fate]} variant="light" title={t(fate, { count: outcome[fate].length })}>
            <Text size="sm" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
              {outcome[fate].join('\n')}
            </Text>
          </Alert>
        ))}
    </Stack>
  )
}

export const InvitePage = () => {
  const t = useTexts(friendsTexts)
  const [lines, setLines] = useState('')
  const [key, setKey] = useState(newKey)
  const { mutate, data, error, isPending, reset } = useMutation({
    mutationFn: invite,
    onSuccess: () => {
      setLines('')
      setKey(newKey())
    },
  })
  const change = (text: string) => {
    setLines(text)
    // Other addresses are another invitation; a second press with the same ones is not.
    setKey(newKey())
    if (error) reset()
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!isPending) mutate({ lines, key })
  }
  const problem = isProblem(error, 'too_many_requests') ? new Error(t('inviteTooMany')) : error
  return (
    <Box maw={640}>
      <Title order={2} size="h4">
        {t('inviteTitle')}
      </Title>
      <Text c="dimmed" size="sm" mb="md">
        {t('inviteText')}
      </Text>
      <form onSubmit={send}>
        <Stack className="surface" p="md">
          <Textarea
            label={t('inviteLabel')}
            description={t('inviteHint')}
            autosize
            minRows={4}
            maxRows={14}
            required
            value={lines}
            onChange={event => change(event.currentTarget.value)}
          />
          <ProblemAlert error={problem} />
          <Button type="submit" loading={isPending} disabled={lines.trim() === ''} style={{ alignSelf: 'flex-start' }}>
            {t('inviteSend')}
          </Button>
          {data && <OutcomeList outcome={data} />}
        </Stack>
      </form>
    </Box>
  )
}
