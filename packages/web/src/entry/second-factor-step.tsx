import { Button } from '@mantine/core'
import { isProblem, type SessionUser } from '@plinth/client'
import { client } from '../api/client.ts'
import { TextForm } from '../common/text-form.tsx'
import { useText } from '../i18n/dictionary.ts'
import { entryTexts } from './dictionary.ts'
import { EntryCard } from './entry-card.tsx'
import { PasskeyStep } from './passkey-step.tsx'

interface SecondFactorStepProps {
  readonly onEnter: (user: SessionUser) => void
  readonly onStartOver: () => void
}

export const SecondFactorStep = ({ onEnter, onStartOver }: SecondFactorStepProps) => {
  const t = useText(entryTexts)
  const prove = async ({ code }: { code: string }) => {
    onEnter(await client.session.sendCode(code.trim()))
  }
  return (
    <EntryCard title={t('secondFactor')} intro={t('secondFactorIntro')}>
      <TextForm
        fields={[{ name: 'code', label: t('code'), autoComplete: 'one-time-code', required: true }]}
        submit={t('signIn')}
        onSubmit={prove}
        explain={error =>
          isProblem(error, 'second_factor_required')
            ? t('wrongCode')
            : isProblem(error, 'unauthorized')
              ? t('tooLate')
              : null
        }
        autoFocus
      />
      <PasskeyStep onEnter={onEnter} />
      <Button variant="subtle" mt="sm" fullWidth onClick={onStartOver}>
        {t('startOver')}
      </Button>
    </EntryCard>
  )
}
