// A passkey in place of a code, for those who have one.

import { Button } from '@mantine/core'
import { isProblem, type SessionUser } from '@plinth/client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import { ProblemAlert } from '../common/problem-alert.tsx'
import { useText } from '../i18n/dictionary.ts'
import { answerWithPasskey, askPasskeyQuestion, supportsPasskeys } from '../session/passkeys.ts'
import { entryTexts } from './dictionary.ts'

const path = '/api/auth/userDetails/secondFactor/passkey/options'

export const PasskeyStep = ({ onEnter }: { readonly onEnter: (user: SessionUser) => void }) => {
  const t = useText(entryTexts)
  const { data } = useQuery({
    queryKey: ['passkey-step'],
    queryFn: () => askPasskeyQuestion(path),
    enabled: supportsPasskeys(),
    gcTime: 0,
    retry: false,
  })
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      const answer = data && (await answerWithPasskey(data))
      if (answer) onEnter(await client.session.sendPasskey(answer))
    },
  })
  if (!data) return null
  return (
    <>
      <ProblemAlert error={isProblem(error, 'unauthorized') ? new Error(t('tooLate')) : error} />
      <Button variant="default" mt="sm" fullWidth loading={isPending} onClick={() => mutate()}>
        {t('passkeyInstead')}
      </Button>
    </>
  )
}
