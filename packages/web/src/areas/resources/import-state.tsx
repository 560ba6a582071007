import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { commonTexts } from '../../common/dictionary.ts'
import { ProblemAlert } from '../../common/problem-alert.tsx'
import type { Schema } from '../../common/records/ui-schema.ts'
import { useText } from '../../i18n/dictionary.ts'
import { importTexts } from './import-dictionary.ts'
import { ImportSummary } from './import-result.tsx'
import { type ImportRun, progressText } from './import-run.ts'

interface ImportRunStateProps {
  readonly run: ImportRun
  readonly schema: Schema
}

/** How far the import has come, or how it ended. */
export const ImportRunState = ({ run, schema }: ImportRunStateProps) => {
  const t = useText(importTexts)
  const { kind, state, result, error, allOrNothing } = run
  if (state === 'running') return <Running run={run} />
  if (state === 'failed') return <ProblemAlert error={error} />
  if (state === 'done') return result && <ImportSummary result={result} allOrNothing={allOrNothing} schema={schema} />
  const ended = kind === 'check' ? 'cancelledCheck' : allOrNothing ? 'cancelledAll' : 'cancelledImport'
  return (
    <Alert role="status" color="yellow">
      {t(ended)}
    </Alert>
  )
}

const Running = ({ run }: Pick<ImportRunStateProps, 'run'>) => {
  const t = useText(importTexts)
  const common = useText(commonTexts)
  const { fileName, progress, cancel } = run
  const { rows = 0, of = null } = progress ?? {}
  return (
    <Stack gap="xs" maw="40rem" className="surface" p="md">
      <Text fw={600}>{fileName}</Text>
      <Progress
        value={of === null ? 100 : (100 * rows) / Math.max(1, of)}
        {...(of === null && { striped: true, animated: true })}
        aria-label={fileName}
      />
      <Group justify="space-between">
        <Text role="status">{progressText(t, run)}</Text>
        <Button variant="default" size="compact-md" onClick={cancel}>
          {common('cancel')}
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        {t('leaveHint')}
      </Text>
    </Stack>
  )
}
