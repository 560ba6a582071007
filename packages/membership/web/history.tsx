import { Alert, Group, Text, ThemeIcon, Timeline } from '@mantine/core'
import { useFormats, useTexts } from '@plinth/web'
import { IconCheck, IconHelp, IconShieldCheck, IconShieldExclamation, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { networkTexts } from './dictionary.ts'
import type { HistoryState } from './memberships.ts'
import { MetadataView } from './metadata-view.tsx'
import classes from './network.module.css'
import { StatusBadge } from './status-badge.tsx'

const acts = {
  request: 'actRequest',
  amend: 'actAmend',
  activate: 'actActivate',
  suspend: 'actSuspend',
  decline: 'actDecline',
  revoke: 'actRevoke',
} as const satisfies Record<HistoryState['act'], string>

const isTampered = ({ isSigned, isLinked }: HistoryState): boolean => isSigned === false || isLinked === false

/** Says in one sentence whether what is below can be believed. */
const Verdict = ({ states }: { readonly states: readonly HistoryState[] }) => {
  const t = useTexts(networkTexts)
  const isBroken = states.some(isTampered)
  const isUnknown = states.some(({ isSigned }) => isSigned === null)
  const key = isBroken ? 'soundNot' : isUnknown ? 'soundUnknown' : 'soundAll'
  const colour = isBroken ? 'red' : isUnknown ? 'yellow' : 'teal'
  const Icon = isBroken ? IconShieldExclamation : IconShieldCheck
  return (
    <Alert color={colour} variant="light" icon={<Icon aria-hidden />} mb="md" role={isBroken ? 'alert' : 'status'}>
      {t(key)}
    </Alert>
  )
}

const Check = ({ is, children }: { readonly is: boolean | null; readonly children: ReactNode }) => {
  const Icon = is === null ? IconHelp : is ? IconCheck : IconX
  return (
    <Group gap={6} wrap="nowrap">
      <ThemeIcon size={18} radius="xl" variant="light" color={is === null ? 'gray' : is ? 'teal' : 'red'} aria-hidden>
        <Icon size={12} />
      </ThemeIcon>
      <Text size="sm">{children}</Text>
    </Group>
  )
}

const verdict = (is: boolean | null, [good, bad, unknown]: readonly [string, string, string]): string =>
  is === null ? unknown : is ? good : bad

const Details = ({ state }: { readonly state: HistoryState }) => {
  const t = useTexts(networkTexts)
  const { sequence, signature, hash, previous, record } = state
  const codes = [
    [t('signature'), signature],
    [t('hash'), hash],
    [t('previous'), previous],
  ] as const
  return (
    <details className={classes.details}>
      <summary>{t('details')}</summary>
      <Text size="sm" mt={4}>
        {t('sequence', { sequence })}
      </Text>
      <dl className={classes.pairs}>
        {codes.map(([name, code]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className={classes.code}>{code || '–'}</dd>
          </div>
        ))}
      </dl>
      <MetadataView metadata={record.membershipMetadata} />
    </details>
  )
}

/** The latest first. */
export const History = ({ states }: { readonly states: readonly HistoryState[] }) => {
  const t = useTexts(networkTexts)
  const formats = useFormats()
  return (
    <>
      <Verdict states={states} />
      <Timeline bulletSize={22} lineWidth={2} active={states.length} className="surface" p="md">
        {states.toReversed().map(state => (
          <Timeline.Item
            key={state.sequence}
            color={isTampered(state) ? 'red' : 'teal'}
            bullet={isTampered(state) ? <IconX size={12} aria-hidden /> : <IconCheck size={12} aria-hidden />}
            title={
              <Group gap="xs">
                {t(acts[state.act])}
                <StatusBadge status={state.record.status} />
              </Group>
            }
          >
            <Text size="sm" c="dimmed">
              {formats.dateTime(state.record.modified)} · {t('signedBy', { signer: state.signer })}
            </Text>
            {state.record.reason && (
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {t('reason')}: {state.record.reason}
              </Text>
            )}
            <Check is={state.isSigned}>
              {verdict(state.isSigned, [t('signatureGood'), t('signatureBad'), t('signatureUnknown')])}
            </Check>
            <Check is={state.isLinked}>
              {verdict(state.isLinked, [t('chainGood'), t('chainBad'), t('chainUnknown')])}
            </Check>
            <Details state={state} />
          </Timeline.Item>
        ))}
      </Timeline>
    </>
  )
}
