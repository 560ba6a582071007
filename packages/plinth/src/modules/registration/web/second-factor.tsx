// A code from an app beside the password: set up, turned on and off.

import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { get, Loading, notify, ProblemAlert, request, TextForm, type TextValues, useTexts } from '@plinth/web'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { RemainingKeys } from './api-keys.tsx'
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

interface ProofProps {
  readonly submit: string
  readonly about?: string
  readonly onSubmit: (values: TextValues<'password' | 'code'>) => Promise<void>
  readonly onCancel: () => void
}

const Proof = ({ submit, about, onSubmit, onCancel }: ProofProps) => {
  const t = useTexts(accountTexts)
  const currentPassword = useCurrentPassword('password')
  return (
    <>
      {about && <Text mb="md">{about}</Text>}
      <TextForm
        fields={[
          currentPassword,
          { name: 'code', label: t('codeOrRecovery'), autoComplete: 'one-time-code', required: true },
        ]}
        submit={submit}
        onSubmit={onSubmit}
        explain={error => (isRefused(error) ? t('wrongPassword') : null)}
        onCancel={onCancel}
        autoFocus
      />
    </>
  )
}

interface TurnedProps {
  /** The focus goes where a step has led: what was pressed is not there any more. */
  readonly takesFocus: boolean
  readonly onCodes: (codes: readonly string[]) => void
}

interface TurnedOnProps extends TurnedProps {
  readonly status: Status
  readonly onTurnedOff: () => void
}

const TurnedOn = ({ status, takesFocus, onCodes, onTurnedOff }: TurnedOnProps) => {
  const t = useTexts(accountTexts)
  const client = useQueryClient()
  const [step, setStep] = useState<Step>(null)
  const [left, setLeft] = useState<Step>(takesFocus ? 'newCodes' : null)
  const turnOff = async (body: TextValues<'password' | 'code'>) => {
    await request(path, { method: 'DELETE', body, provesIdentity: true })
    notify(t('turnedOff'))
    onTurnedOff()
    await client.invalidateQueries({ queryKey: statusKey })
  }
  const renewCodes = async (body: TextValues<'password' | 'code'>) => {
    const ask = { method: 'POST', body, provesIdentity: true } as const
    const { body: made } = await request<{ recoveryCodes: readonly string[] }>(`${path}/recoveryCodes`, ask)
    onCodes(made.recoveryCodes)
    await client.invalidateQueries({ queryKey: statusKey })
  }
  const leave = () => {
    setLeft(step)
    setStep(null)
  }
  if (step === 'turnOff') return <Proof submit={t('turnOff')} onSubmit={turnOff} onCancel={leave} />
  if (step === 'newCodes')
    return <Proof submit={t('newCodes')} about={t('newCodesText')} onSubmit={renewCodes} onCancel={leave} />
  return (
    <Stack gap="sm">
      <Text>{t('codesLeft', { count: status.recoveryCodesLeft })}</Text>
      <Group>
        <Button variant="default" autoFocus={left === 'newCodes'} onClick={() => setStep('newCodes')}>
          {t('newCodes')}
        </Button>
        <Button variant="light" color="red" autoFocus={left === 'turnOff'} onClick={() => setStep('turnOff')}>
          {t('turnOff')}
        </Button>
      </Group>
    </Stack>
  )
}

const TurnedOff = ({ takesFocus, onCodes }: TurnedProps) => {
  const t = useTexts(accountTexts)
  const currentPassword = useCurrentPassword('password')
  const client = useQueryClient()
  const [isAsking, setIsAsking] = useState(false)
  const [hasLeft, setHasLeft] = useState(takesFocus)
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
  const leave = () => {
    setOffer(null)
    setIsAsking(false)
    setHasLeft(true)
  }
  if (offer) return <Enrolment offer={offer} onSubmit={turnOn} onCancel={leave} />
  if (!isAsking)
    return (
      <Button autoFocus={hasLeft} onClick={() => setIsAsking(true)}>
        {t('setUp')}
      </Button>
    )
  return (
    <TextForm
      fields={[currentPassword]}
      submit={t('setUp')}
      onSubmit={begin}
      explain={error => (isRefused(error) ? t('wrongPassword') : null)}
      onCancel={leave}
      autoFocus
    />
  )
}

export const SecondFactor = () => {
  const t = useTexts(accountTexts)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const [isChanged, setIsChanged] = useState(false)
  const show = (made: readonly string[]) => {
    setCodes(made)
    setIsChanged(true)
  }
  const { data, error, refetch } = useQuery({ queryKey: statusKey, queryFn: () => get<Status>(path), retry: false })
  const mark = data && (
    <Badge color={data.enabled ? 'teal' : 'gray'} variant="light" tt="none">
      {t(data.enabled ? 'isOn' : 'isOff')}
    </Badge>
  )
  return (
    <Section title={t('secondFactor')} about={t('secondFactorAbout')} mark={mark}>
      {codes && <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />}
      {isChanged && data?.enabled && <RemainingKeys />}
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading rows={2} />}
      {data &&
        !codes &&
        (data.enabled ? (
          <TurnedOn status={data} takesFocus={isChanged} onCodes={show} onTurnedOff={() => setIsChanged(true)} />
        ) : (
          <TurnedOff takesFocus={isChanged} onCodes={show} />
        ))}
    </Section>
  )
}
