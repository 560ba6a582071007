// The member's forms: to ask for a membership, and to say something else of oneself.

import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { newKey } from '@plinth/client'
import { commonTexts, Dialog, notify, ProblemAlert, useTexts } from '@plinth/web'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { networkTexts } from './dictionary.ts'
import { apply, type NetworkMembership, type NetworkNode, networkKey, organisationOf } from './memberships.ts'
import { readDraft, toDraft } from './metadata-draft.ts'
import { MetadataEditor } from './metadata-editor.tsx'

interface ApplicationDialogProps {
  readonly node: NetworkNode
  /** A membership to amend, `new` to ask for one, null when the dialog is closed. */
  readonly about: NetworkMembership | 'new' | null
  readonly onClose: () => void
}

export const ApplicationDialog = ({ node, about, onClose }: ApplicationDialogProps) => {
  const t = useTexts(networkTexts)
  const isNew = about === 'new' || about === null
  return (
    <Dialog
      opened={about !== null}
      onClose={onClose}
      title={isNew ? t('request') : t('amendNamed', { operator: organisationOf(about.bno) })}
      size="lg"
    >
      {about && <ApplicationForm node={node} membership={isNew ? null : about} onClose={onClose} />}
    </Dialog>
  )
}

interface ApplicationFormProps extends Pick<ApplicationDialogProps, 'node' | 'onClose'> {
  readonly membership: NetworkMembership | null
}

const useApplication = ({ node, membership, onClose }: ApplicationFormProps) => {
  const t = useTexts(networkTexts)
  const client = useQueryClient()
  const [party, setParty] = useState(membership?.bno ?? node.operators?.[0] ?? '')
  const [networkId, setNetworkId] = useState(membership?.networkID ?? '')
  const [draft, setDraft] = useState(() => toDraft(membership?.membershipMetadata))
  const [key, setKey] = useState(newKey)
  const act = membership ? 'amend' : 'request'
  const mutation = useMutation({
    mutationFn: (membershipMetadata: unknown) =>
      apply(node, act, { party: party.trim(), networkId: networkId.trim() || null, membershipMetadata, key }),
    onSuccess: record => {
      notify(membership ? t('amendedDone') : t('requestedDone', { operator: organisationOf(record.bno) }))
      onClose()
    },
    onSettled: () => client.invalidateQueries({ queryKey: networkKey }),
  })
  /** Makes a setter that begins another order, since another content is one. */
  const changing =
    <T,>(set: (value: T) => void) =>
    (value: T): void => {
      set(value)
      setKey(newKey())
    }
  return {
    mutation,
    party: { value: party, set: changing(setParty) },
    networkId: { value: networkId, set: changing(setNetworkId) },
    draft: { value: draft, set: changing(setDraft) },
  }
}

const ApplicationForm = (props: ApplicationFormProps) => {
  const { node, membership, onClose } = props
  const t = useTexts(networkTexts)
  const common = useTexts(commonTexts)
  const { mutation, party, networkId, draft } = useApplication(props)
  const [isTried, setTried] = useState(false)
  const read = readDraft(draft.value)
  const fault = 'fault' in read ? t(read.fault, { reason: read.reason }) : null
  const send = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!mutation.isPending && !('fault' in read)) mutation.mutate(read.value)
  }
  return (
    <form onSubmit={send}>
      <Stack>
        <Text size="sm">{t(membership ? 'amendText' : 'requestText')}</Text>
        {!membership && (
          <>
            <OperatorInput node={node} value={party.value} onChange={party.set} />
            <TextInput
              label={t('network')}
              description={t('networkHint')}
              maxLength={100}
              value={networkId.value}
              onChange={event => networkId.set(event.currentTarget.value)}
            />
          </>
        )}
        <MetadataEditor draft={draft.value} onChange={draft.set} fault={isTried ? fault : null} />
        <ProblemAlert error={mutation.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button type="submit" loading={mutation.isPending}>
            {t(membership ? 'amendSend' : 'requestSend')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface OperatorInputProps {
  readonly node: NetworkNode
  readonly value: string
  readonly onChange: (party: string) => void
}

/** Chooses an operator out of those that the node knows; by name when it knows none. */
const OperatorInput = ({ node, value, onChange }: OperatorInputProps) => {
  const t = useTexts(networkTexts)
  const operators = node.operators ?? []
  if (operators.length === 0)
    return (
      <TextInput
        label={t('operator')}
        description={`${t('noOperators')} ${t('operatorHint')}`}
        required
        value={value}
        onChange={event => onChange(event.currentTarget.value)}
        data-autofocus
      />
    )
  return (
    <Select
      label={t('operator')}
      data={operators.map(party => ({ value: party, label: party }))}
      value={value}
      onChange={party => party !== null && onChange(party)}
      allowDeselect={false}
      required
      data-autofocus
    />
  )
}
