import { Badge, Group, Stack, Text } from '@mantine/core'
import { AsyncButton, Loading, ProblemAlert, type SimpleColumn, SimpleTable, useTexts } from '@plinth/web'
import { type DoctorFinding, useExamination } from './examination.ts'
import { upkeepTexts } from './upkeep-dictionary.ts'

const colours = { ok: 'teal', warning: 'yellow', error: 'red' } as const
const useColumns = (): readonly SimpleColumn<DoctorFinding>[] => {
  const t = useTexts(upkeepTexts)
  return [
    {
      key: 'level',
      title: t('state'),
      nowrap: true,
      render: ({ level }) => (
        <Badge variant="light" color={colours[level]} tt="none">
          {t(level)}
        </Badge>
      ),
    },
    {
      key: 'finding',
      title: t('finding'),
      render: ({ explanation, remedy }) => (
        <>
          <Text size="sm">{explanation}</Text>
          {remedy && (
            <Text size="sm" c="dimmed">
              {t('remedy', { text: remedy })}
            </Text>
          )}
        </>
      ),
    },
  ]
}

const DoctorPage = () => {
  const t = useTexts(upkeepTexts)
  const columns = useColumns()
  const { data, error, refetch } = useExamination()
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  const wrong = data.filter(({ level }) => level !== 'ok').length
  return (
    <Stack>
      <Group justify="space-between">
        <Text role="status">{wrong === 0 ? t('allGood') : t('someWrong', { count: wrong })}</Text>
        <AsyncButton variant="default" onPress={refetch}>
          {t('checkAgain')}
        </AsyncButton>
      </Group>
      <SimpleTable
        caption={t('findings')}
        rows={data}
        rowKey={({ check, explanation }) => `${check} ${explanation}`}
        columns={columns}
      />
      <Text size="sm" c="dimmed">
        {t('integrityHint')}
      </Text>
    </Stack>
  )
}

export default DoctorPage
