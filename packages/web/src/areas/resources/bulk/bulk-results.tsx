// What became of each record, and the way to try again.

import { Alert, Button, Group, ScrollArea, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { ResultValues } from '../../../common/actions/action-result.tsx'
import { commonTexts } from '../../../common/dictionary.ts'
import { useProblemText } from '../../../common/problem-text.ts'
import { useText } from '../../../i18n/dictionary.ts'
import { bulkTexts } from './dictionary.ts'
import type { BulkOutcome } from './run-bulk.ts'

interface BulkResultsProps {
  readonly outcome: BulkOutcome
  readonly onRetry: () => void
  readonly onClose: () => void
}

export const BulkResults = ({ outcome: { done, failures, left, results }, onRetry, onClose }: BulkResultsProps) => {
  const t = useText(bulkTexts)
  const common = useText(commonTexts)
  const problemText = useProblemText()
  const remaining = failures.length + left.length
  const sentences = [
    ...(done.length > 0 ? [t('done', { count: done.length })] : []),
    ...(failures.length > 0 ? [t('failed', { count: failures.length })] : []),
    ...(left.length > 0 ? [t('left', { count: left.length })] : []),
  ]
  return (
    <Stack>
      <Alert
        role="status"
        color={remaining > 0 ? 'orange' : 'teal'}
        variant="light"
        icon={remaining > 0 ? <IconAlertTriangle aria-hidden /> : <IconCheck aria-hidden />}
      >
        <Text size="sm">{sentences.join(' ')}</Text>
      </Alert>
      <ScrollArea.Autosize
        mah="50dvh"
        type="auto"
        viewportProps={{ tabIndex: 0, 'aria-label': t('results'), role: 'group' }}
      >
        <Stack gap="sm">
          {failures.length > 0 && (
            <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }} aria-label={t('failures')}>
              {failures.map(({ record, error }) => (
                <li key={record.pk}>
                  <Text size="sm" fw={600}>
                    <bdi>{record.title}</bdi>
                  </Text>
                  <Text size="sm">{problemText(error)}</Text>
                </li>
              ))}
            </Stack>
          )}
          {results.map(({ record, result }) => (
            <Stack key={record.pk} gap={4}>
              <Text size="sm" fw={600}>
                <bdi>{record.title}</bdi>
              </Text>
              <ResultValues result={result} label={record.title} />
            </Stack>
          ))}
        </Stack>
      </ScrollArea.Autosize>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} autoFocus>
          {common('close')}
        </Button>
        {remaining > 0 && (
          <Button onClick={onRetry}>{t(left.length > 0 ? 'goOn' : 'retry', { count: remaining })}</Button>
        )}
      </Group>
    </Stack>
  )
}
