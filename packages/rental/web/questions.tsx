// What the clerk must decide: who was meant, whose list it is, whether changed prices are accepted, and what to do when
// there was no answer. None of them takes the focus: the clerk may be in the middle of a scan.

import { Alert, Button, Group, Text, TextInput } from '@mantine/core'
import { ApiProblem, isProblem } from '@plinth/client'
import { commonTexts, hasRole, ProblemAlert, useProblemText, useTexts, useUser } from '@plinth/web'
import { IconAlertTriangle, IconUsers, IconWifiOff } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { nameOf } from './desk.ts'
import { counterTexts } from './dictionary.ts'
import type { DeskWork } from './use-desk.ts'

const WhoIsIt = ({ question, answer }: DeskWork) => {
  const t = useTexts(counterTexts)
  if (question?.kind !== 'who') return null
  return (
    <Alert icon={<IconUsers aria-hidden />} title={t('who')} mb="sm" role="group" aria-label={t('who')}>
      <Group gap="xs">
        {question.people.map(person => (
          <Button key={person.pk} variant="default" size="sm" onClick={() => answer(person)}>
            {nameOf(person)}
            <Text component="span" c="dimmed" size="sm" ms={6}>
              {person.username}
            </Text>
          </Button>
        ))}
        <Button variant="subtle" size="sm" onClick={() => answer(null)}>
          {t('noneOfThese')}
        </Button>
      </Group>
    </Alert>
  )
}

const OtherCustomer = ({ question, desk, answer }: DeskWork) => {
  const t = useTexts(counterTexts)
  if (question?.kind !== 'otherCustomer' || !desk.customer) return null
  const name = nameOf(question.person)
  const title = t('otherCustomer', { old: nameOf(desk.customer), new: name })
  return (
    <Alert color="yellow" icon={<IconUsers aria-hidden />} title={title} mb="sm" role="alert">
      <Group gap="xs">
        <Button variant="default" size="sm" onClick={() => answer(null)}>
          {t('stayWith', { name: nameOf(desk.customer) })}
        </Button>
        <Button variant="default" size="sm" onClick={() => answer(question.person, 'startOver')}>
          {t('startOverWith', { name })}
        </Button>
        <Button variant="default" size="sm" onClick={() => answer(question.person, 'keepLines')}>
          {t('keepLinesFor', { name })}
        </Button>
      </Group>
    </Alert>
  )
}

const Changed = ({ desk, accept }: DeskWork) => {
  const t = useTexts(counterTexts)
  if (!desk.lines.some(({ was }) => was !== null)) return null
  return (
    <Alert color="yellow" role="alert" icon={<IconAlertTriangle aria-hidden />} title={t('changedTitle')} mb="sm">
      <Button size="sm" onClick={accept}>
        {t('accept')}
      </Button>
    </Alert>
  )
}

const NoAnswer = ({ desk, problem, resend, takeBack }: DeskWork) => {
  const t = useTexts(counterTexts)
  const common = useTexts(commonTexts)
  const text = useProblemText()
  if (!desk.submission || !problem) return null
  return (
    <Alert color="red" role="alert" icon={<IconWifiOff aria-hidden />} title={t('unknownOutcome')} mb="sm">
      <Text size="sm">{text(problem)}</Text>
      <Text size="sm">{t('unknownOutcomeText')}</Text>
      <Group gap="xs" mt="xs">
        <Button size="sm" onClick={resend}>
          {common('retry')}
        </Button>
        <Button size="sm" variant="default" onClick={takeBack}>
          {t('backToLines')}
        </Button>
      </Group>
    </Alert>
  )
}

/** Administrators may let a minor have what is not for minors, with a reason that is kept. */
const Override = ({ submit }: DeskWork) => {
  const t = useTexts(counterTexts)
  const [reason, setReason] = useState('')
  const send = (event: FormEvent) => {
    event.preventDefault()
    submit(reason)
  }
  return (
    <form onSubmit={send}>
      <Group align="flex-end" gap="xs" mt="xs">
        <TextInput
          label={`${t('overrideTitle')}: ${t('overrideReason')}`}
          required
          maxLength={500}
          value={reason}
          onChange={event => setReason(event.currentTarget.value)}
          style={{ flex: '1 1 16rem' }}
        />
        <Button type="submit" color="red">
          {t('override')}
        </Button>
      </Group>
    </form>
  )
}

const Refused = (work: DeskWork) => {
  const t = useTexts(counterTexts)
  const user = useUser()
  const { desk, problem } = work
  if (!problem || desk.submission || isProblem(problem, 'quote_changed')) return null
  const isAge = problem instanceof ApiProblem && problem.faults.some(({ code }) => code === 'age')
  // Faults of lines stand at the lines.
  const elsewhere = new Set(['items', 'orders'])
  return (
    <section>
      <Text fw={600} mb={4}>
        {t('refusedTitle')}
      </Text>
      <ProblemAlert error={problem} fieldsWithErrors={elsewhere} />
      {isAge && hasRole(user) && <Override {...work} />}
    </section>
  )
}

export const Questions = (work: DeskWork) => (
  <>
    <WhoIsIt {...work} />
    <OtherCustomer {...work} />
    <Changed {...work} />
    <NoAnswer {...work} />
    <Refused {...work} />
  </>
)
