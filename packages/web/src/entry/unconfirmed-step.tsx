import { Button } from '@mantine/core'
import { useText } from '../i18n/dictionary.ts'
import { entryTexts } from './dictionary.ts'
import { EntryCard } from './entry-card.tsx'
import { ResendMail } from './resend-mail.tsx'

interface UnconfirmedStepProps {
  /** The name as it was typed: a username or an e-mail address. */
  readonly name: string
  readonly onStartOver: () => void
}

/** The password was right, and the address of the registration is not confirmed yet. */
export const UnconfirmedStep = ({ name, onStartOver }: UnconfirmedStepProps) => {
  const t = useText(entryTexts)
  return (
    <EntryCard title={t('unconfirmed')} intro={t('unconfirmedText')}>
      <ResendMail name={name} />
      <Button variant="subtle" mt="sm" fullWidth onClick={onStartOver}>
        {t('toSignIn')}
      </Button>
    </EntryCard>
  )
}
