// A code from an app beside the password: set up, turned on and off.

import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { get, request } from '../../api/request.ts'
import { Loading } from '../../common/loading.tsx'
import { notify } from '../../common/notify.ts'
import { ProblemAlert } from '../../common/problem-alert.tsx'
import { TextForm, type TextValues } from '../../common/text-form.tsx'
import { useText } from '../../i18n/dictionary.ts'
import { isRefused, useCurrentPassword } from './current-password.ts'
import { accountTexts } from './dictionary.ts'
import { Enrolment, type Offer } from './enrolment.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { Section } from './section.tsx'

interface Status {
  readonly enabled: boolean
  readonly recoveryCodesLeft: number
}

const path = '/api/auth/secondFactor'
const statusKey = ['second-factor']

type Step = 'turnOff' | 'newCodes' | null

const Proof = ({
  submit,
  onSubmit,
}: {
  submit: string
  onSubmit: (values: TextValues<'password' | 'code'>) => Promise<void>
}) => {
  const t = useText(accountTexts)
  const currentPassword = useCurrentPassword('password')
  return (
    <TextForm
      fields={[
        currentPassword,
        { name: 'code', label: t('codeOrRecovery'), autoComplete: 'one-time-code', required: true },
      ]}
      submit={submit}
      onSubmit={onSubmit}
      explain={error => (isRefused(error) ? t('wrongCode') : null)}
      autoFocus
    />
  )
}

const TurnedOn = ({ status, onCodes }: { status: Status; onCodes: (codes: readonly string[]) => void }) => {
  const t = useText(accountTexts)
  const client = useQueryClient()
  const [step, setStep] = useState<Step>(null)
  const turnOff = async (body: TextValues<'password' | 'code'>) => {
    await request(path, { method: 'DELETE', body, provesIdentity: true })
    notify(t('turnedOff'))
    await client.invalidateQueries({ queryKey: statusKey })
  }
  const renewCodes = async (body: TextValues<'password' | 'code'>) => {
    const ask = { method: 'POST', body, provesIdentity: true } as const
    const { body: made } = await request<{ recoveryCodes: readonly string[] }>(`${path}/recoveryCodes`, ask)
    onCodes(made.recoveryCodes)
    await client.invalidateQueries({ queryKey: statusKey })
    setStep(null)
  }
  if (step === 'turnOff') return <Proof submit={t('turnOff')} onSubmit={turnOff} />
  if (step === 'newCodes') return <Proof submit={t('newCodes')} onSubmit={renewCodes} />
  return (
    <Stack gap="sm">
      <Text>{t('codesLeft', { count: status.recoveryCodesLeft })}</Text>
      <Group>
        <Button variant="default" onClick={() => setStep('newCodes')}>
          {t('newCodes')}
        </Button>
        <Button variant="light" color="red" onClick={() => setStep('turnOff')}>
          {t('turnOff')}
        </Button>
      </Group>
    </Stack>
  )
}

const TurnedOff = ({ onCodes }: { onCodes: (codes: readonly string[]) => void }) => {
  const t = useText(accountTexts)
  const currentPassword = useCurrentPassword('password')
  const client = useQueryClient()
  const [isAsking, setIsAsking] = useState(false)
  const [offer, setOffer] = useState<Offer | null>(null)
  const begin = async (body: TextValues<'password'>) => {
    setOffer((await request<Offer>(path, { method: 'POST', body, provesIdentity: true })).body)
  }
  const turnOn = async (body: TextValues<'code'>) => {
    const ask = { method: 'PUT', body, provesIdentity: true } as const
    const { body: made } = await request<{ recoveryCodes: readonly string[] }>(path, ask)
    onCodes(made.recoveryCodes)
    notify(t('turnedOn'))
    await client.invalidateQueries({ queryKey: statusKey })
  }
  if (offer) return <Enrolment offer={offer} onSubmit={turnOn} />
  if (!isAsking) return <Button onClick={() => setIsAsking(true)}>{t('setUp')}</Button>
  return (
    <TextForm
      fields={[currentPassword]}
      submit={t('setUp')}
      onSubmit={begin}
      explain={error => (isRefused(error) ? t('wrongPassword') : null)}
      autoFocus
    />
  )
}

export const SecondFactor = () => {
  const t = useText(accountTexts)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const { data, error, refetch } = useQuery({ queryKey: statusKey, queryFn: () => get<Status>(path), retry: false })
  const mark = data && (
    <Badge color={data.enabled ? 'teal' : 'gray'} variant="light" tt="none">
      {t(data.enabled ? 'isOn' : 'isOff')}
    </Badge>
  )
  return (
    <Section title={t('secondFactor')} about={t('secondFactorAbout')} mark={mark}>
      {codes && <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />}
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading rows={2} />}
      {data &&
        !codes &&
        (data.enabled ? <TurnedOn status={data} onCodes={setCodes} /> : <TurnedOff onCodes={setCodes} />)}
    </Section>
  )
}
