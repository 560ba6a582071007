import { useState } from 'react'
import { TextForm } from '../common/text-form.tsx'
import { useText } from '../i18n/dictionary.ts'
import { entryTexts } from './dictionary.ts'
import { EntryCard, EntryEnd } from './entry-card.tsx'
import { requestMail } from './resend-mail.tsx'

const ForgotPasswordPage = () => {
  const t = useText(entryTexts)
  const [isSent, setIsSent] = useState(false)
  const send = async ({ name }: { name: string }) => {
    await requestMail(name)
    setIsSent(true)
  }
  if (isSent) return <EntryEnd title={t('checkMail')} intro={t('sent')} />
  return (
    <EntryCard title={t('forgotTitle')} intro={t('forgotIntro')}>
      <TextForm
        fields={[{ name: 'name', label: t('name'), autoComplete: 'username', required: true }]}
        submit={t('sendLink')}
        onSubmit={send}
        autoFocus
      />
    </EntryCard>
  )
}

export default ForgotPasswordPage
