import { Button } from '@mantine/core'
import { hasCode } from '../api/problem.ts'
import { request } from '../api/request.ts'
import { TextForm } from '../common/text-form.tsx'
import { useText } from '../i18n/dictionary.ts'
import type { SessionUser } from '../session/session.tsx'
import { entryTexts } from './dictionary.ts'
import { EntryCard } from './entry-card.tsx'

interface SecondFactorStepProps {
  readonly onEnter: (user: SessionUser) => void
  readonly onStartOver: () => void
}

export const SecondFactorStep = ({ onEnter, onStartOver }: SecondFactorStepProps) => {
  const t = useText(entryTexts)
  const prove = async ({ code }: { code: string }) => {
    const ask = { method: 'POST', body: { code: code.trim() }, provesIdentity: true } as const
    onEnter((await request<SessionUser>('/api/auth/userDetails/secondFactor', ask)).body)
  }
  return (
    <EntryCard title={t('secondFactor')} intro={t('secondFactorIntro')}>
      <TextForm
        fields={[{ name: 'code', label: t('code'), autoComplete: 'one-time-code', required: true }]}
        submit={t('signIn')}
        onSubmit={prove}
        explain={error =>
          hasCode(error, 'second_factor_required')
            ? t('wrongCode')
            : hasCode(error, 'unauthorized')
              ? t('tooLate')
              : null
        }
        autoFocus
      />
      <Button variant="subtle" mt="sm" fullWidth onClick={onStartOver}>
        {t('startOver')}
      </Button>
    </EntryCard>
  )
}
