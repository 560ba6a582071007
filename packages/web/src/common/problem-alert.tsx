// What went wrong, in the place where it did.

import { Alert, Button, Group, List, Text } from '@mantine/core'
import { ApiProblem } from '@plinth/client'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useKnownTitles } from '../api/directory.ts'
import { placeOf } from '../api/problem.ts'
import { useText } from '../i18n/dictionary.ts'
import { useLanguage } from '../i18n/language.ts'
import { commonTexts } from './dictionary.ts'
import { faultAt, problemText } from './problem-text.ts'

interface ProblemAlertProps {
  /** The error; nothing is shown for null and undefined. */
  readonly error: unknown
  readonly onRetry?: () => void
  /** Fields whose faults stand beside their own fields. */
  readonly fieldsWithErrors?: ReadonlySet<string>
}

export const ProblemAlert = ({ error, onRetry, fieldsWithErrors }: ProblemAlertProps) => {
  const t = useText(commonTexts)
  const language = useLanguage()
  const titleOf = useKnownTitles()
  if (error === null || error === undefined) return null
  const faults = error instanceof ApiProblem ? error.faults : []
  const rest = faults.filter(fault => !fieldsWithErrors?.has(placeOf(fault)[0] ?? ''))
  const recorded = error instanceof ApiProblem ? error.document.errorLogId : undefined
  return (
    <Alert role="alert" color="red" variant="light" icon={<IconAlertTriangle aria-hidden />}>
      <Text size="sm">{problemText(error, language, titleOf)}</Text>
      {rest.length > 0 && (
        <List size="sm" mt={4}>
          {rest.map(fault => (
            <List.Item key={`${fault.pointer ?? fault.parameter}${fault.message}`}>
              {faultAt(fault.member ?? fault.pointer?.slice(1) ?? fault.parameter, fault)}
            </List.Item>
          ))}
        </List>
      )}
      {recorded && (
        <Text size="xs" mt={4}>
          {t('reference', { id: recorded.slice(0, 12) })}
        </Text>
      )}
      {onRetry && (
        <Group mt="xs">
          <Button size="xs" variant="default" onClick={onRetry}>
            {t('retry')}
          </Button>
        </Group>
      )}
    </Alert>
  )
}
