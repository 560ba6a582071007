// The reports that belong on the start page.

import { Anchor, Paper, SimpleGrid, Skeleton, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import { reportTexts } from '../../common/reports/dictionary.ts'
import { useGroups } from '../../common/reports/groups.ts'
import { ReportDrawing } from '../../common/reports/report-drawing.tsx'
import { ReportTable } from '../../common/reports/report-table.tsx'
import type { ReportEntry } from '../../common/reports/reports.ts'
import { useText } from '../../i18n/dictionary.ts'

/** The groups that a card draws or lists. */
const [drawn, listed] = [50, 5]

const ReportCard = ({ report }: { readonly report: ReportEntry }) => {
  const t = useText(reportTexts)
  const { name, title, chart } = report
  const { data, error, hasNextPage } = useGroups(name, chart ? drawn : listed)
  const groups = data?.pages.flatMap(({ content }) => content)
  // The start page is no place for what cannot be read at the moment.
  if (error) return null
  return (
    <Paper component="section" className="surface" p="md" miw={0}>
      <Title order={2} size="h5" mb="xs">
        <Anchor component={Link} to={`/reports/${name}`} inherit>
          {title}
        </Anchor>
      </Title>
      {!groups && <Skeleton height={160} />}
      {groups?.length === 0 && <Text c="dimmed">{t('empty')}</Text>}
      {groups && groups.length > 0 && chart && <ReportDrawing report={report} groups={groups} height={180} />}
      {groups && groups.length > 0 && !chart && <ReportTable report={report} groups={groups} isWhole={!hasNextPage} />}
    </Paper>
  )
}

const ReportCards = ({ reports }: { readonly reports: readonly ReportEntry[] }) => (
  <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="sm" mt="md">
    {reports.map(report => (
      <ReportCard key={report.name} report={report} />
    ))}
  </SimpleGrid>
)

export default ReportCards
