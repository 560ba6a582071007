// Signing in with a passkey: by a button, and among the suggestions of the input for the username.

import { Button } from '@mantine/core'
import { isProblem, type SessionUser } from '@plinth/client'
import { IconFingerprint } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { client } from '../api/client.ts'
import { ProblemAlert } from '../common/problem-alert.tsx'
import { useText } from '../i18n/dictionary.ts'
import {
  answerWithPasskey,
  askPasskeyQuestion,
  type PasskeyQuestion,
  stopAskingForPasskeys,
  suggestsPasskeys,
  supportsPasskeys,
} from '../session/passkeys.ts'
import { entryTexts } from './dictionary.ts'

const path = '/api/auth/passkeys/signIn/options'

/** Questions expire after five minutes. */
const refetchInterval = 4 * 60_000

interface PasskeySignInProps {
  readonly remember: boolean
  readonly onEnter: (user: SessionUser) => void
}

export const PasskeySignIn = ({ remember, onEnter }: PasskeySignInProps) => {
  const t = useText(entryTexts)
  const latest = useRef({ remember, onEnter })
  useEffect(() => {
    latest.current = { remember, onEnter }
  })
  const { data } = useQuery({
    queryKey: ['passkey-question'],
    queryFn: () => askPasskeyQuestion(path),
    enabled: supportsPasskeys(),
    refetchInterval: query => (query.state.data ? refetchInterval : false),
    gcTime: 0,
    retry: false,
  })
  const { mutate, error } = useMutation({
    // The question of the suggestions, or a fresh one for the button.
    mutationFn: async (suggested: PasskeyQuestion | null) => {
      const question = suggested ?? (await askPasskeyQuestion(path))
      const answer = await answerWithPasskey(question, { inSuggestions: suggested !== null })
      if (!answer) return
      const { remember: rememberMe, onEnter: enter } = latest.current
      enter(await client.session.signInWithPasskey({ ...answer, rememberMe }))
    },
  })
  useEffect(() => {
    if (!data) return
    let isLeft = false
    void suggestsPasskeys().then(suggests => {
      if (suggests && !isLeft) mutate(data)
    })
    return () => {
      isLeft = true
      void stopAskingForPasskeys()
    }
  }, [data, mutate])
  if (!data) return null
  return (
    <>
      <ProblemAlert error={isProblem(error, 'unauthorized') ? new Error(t('passkeyRefused')) : error} />
      <Button
        variant="default"
        fullWidth
        mt="md"
        maw={440}
        leftSection={<IconFingerprint size={18} aria-hidden />}
        onClick={() => mutate(null)}
      >
        {t('passkey')}
      </Button>
    </>
  )
}
