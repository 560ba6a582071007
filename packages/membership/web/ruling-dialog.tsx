// Asks for the reason of a decision, and carries it out.

import { Button, Group, List, Stack, Text, Textarea } from '@mantine/core'
import { isProblem, newKey } from '@plinth/client'
import { commonTexts, Dialog, notify, ProblemAlert, useTexts } from '@plinth/web'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { networkTexts } from './dictionary.ts'
import {
  type MembershipDecision,
  type NetworkMembership,
  type NetworkNode,
  networkKey,
  organisationOf,
  rule,
} from './memberships.ts'

export interface PendingDecision {
  readonly ruling: MembershipDecision
  readonly memberships: readonly NetworkMembership[]
}

interface RulingDialogProps {
  readonly node: NetworkNode
  /** The decision; null when nothing is decided on. */
  readonly decision: PendingDecision | null
  readonly onClose: () => void
  readonly onDone?: () => void
}

const done = {
  activate: 'activatedDone',
  suspend: 'suspendedDone',
  decline: 'declinedDone',
  revoke: 'revokedDone',
} as const satisfies Record<MembershipDecision, string>

export const RulingDialog = ({ node, decision, onClose, onDone }: RulingDialogProps) => {
  const t = useTexts(networkTexts)
  const { ruling = 'activate', memberships = [] } = decision ?? {}
  const member = organisationOf(memberships[0]?.member ?? '')
  const title =
    memberships.length > 1 ? t('activateMany', { count: memberships.length }) : t(`${ruling}Named`, { member })
  return (
    <Dialog opened={decision !== null} onClose={onClose} title={title}>
      {decision && <RulingForm node={node} decision={decision} onClose={onClose} onDone={onDone} />}
    </Dialog>
  )
}

interface RulingFormProps extends Omit<RulingDialogProps, 'decision' | 'onDone'> {
  readonly decision: PendingDecision
  readonly onDone: (() => void) | undefined
}

const RulingForm = ({ node, decision: { ruling, memberships }, onClose, onDone }: RulingFormProps) => {
  const t = useTexts(networkTexts)
  const common = useTexts(commonTexts)
  const client = useQueryClient()
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  const [key] = useState(newKey)
  const isNeeded = ruling !== 'activate'
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => rule(node, { ruling, memberships, reason, key }),
    onSuccess: () => {
      const many = memberships.length > 1
      const member = organisationOf(memberships[0]?.member ?? '')
      notify(many ? t('activatedManyDone', { count: memberships.length }) : t(done[ruling], { member }))
      onDone?.()
      onClose()
    },
    onSettled: () => client.invalidateQueries({ queryKey: networkKey }),
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    const isWanting = isNeeded && reason.trim() === ''
    setMissing(isWanting)
    if (!isPending && !isWanting) mutate()
  }
  return (
    <form onSubmit={send} noValidate>
      <Stack>
        <Text size="sm">{t(memberships.length > 1 ? 'activateManyText' : `${ruling}Text`)}</Text>
        {memberships.length > 1 && (
          <List size="sm">
            {memberships.slice(0, 10).map(({ linearId, member, networkID }) => (
              <List.Item key={linearId}>{[organisationOf(member), networkID].filter(Boolean).join(', ')}</List.Item>
            ))}
            {memberships.length > 10 && <List.Item>…</List.Item>}
          </List>
        )}
        <Textarea
          label={t(isNeeded ? 'reason' : 'reasonOptional')}
          description={t('reasonHint')}
          required={isNeeded}
          maxLength={500}
          autosize
          minRows={2}
          maxRows={6}
          value={reason}
          onChange={event => setReason(event.currentTarget.value)}
          error={isMissing && reason.trim() === '' && t('reasonNeeded')}
          data-autofocus
        />
        <ProblemAlert error={isProblem(error, 'stale') ? new Error(t('staleText')) : error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button type="submit" color={ruling === 'activate' ? 'brand' : 'red'} loading={isPending}>
            {t(ruling)}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
