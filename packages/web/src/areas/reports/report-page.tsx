import { Box, Button, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { get } from '../../api/client.ts'
import { Empty } from '../../common/empty.tsx'
import { Loading } from '../../common/loading.tsx'
import { notifyProblem } from '../../common/notify.ts'
import { PageHeader } from '../../common/page-header.tsx'
import { ProblemAlert } from '../../common/problem-alert.tsx'
import { resourceTexts } from '../../common/records/dictionary.ts'
import { reportTexts } from '../../common/reports/dictionary.ts'
import { reportPath, useGroups } from '../../common/reports/groups.ts'
import { ReportDrawing } from '../../common/reports/report-drawing.tsx'
import { ReportTable } from '../../common/reports/report-table.tsx'
import type { ReportEntry } from '../../common/reports/reports.ts'
import { saveLink } from '../../common/save-file.ts'
import { MorePages } from '../../common/show-more.tsx'
import { useText } from '../../i18n/dictionary.ts'

interface ReportPageProps {
  readonly report: ReportEntry
}

/** The file has all groups, whatever the page shows. */
const ExportReport = ({ report: { name } }: ReportPageProps) => {
  const t = useText(reportTexts)
  const resources = useText(resourceTexts)
  // The service is asked for one group first: a problem is shown, and the session refreshed.
  const save = async (kind: 'csv' | 'xlsx') => {
    try {
      await get(reportPath(name), { query: { _ps: 1, _total: 'none' } })
      saveLink(`${reportPath(name)}?_export=${kind}`, `${name}.${kind}`)
    } catch (error) {
      notifyProblem(error)
    }
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
          {resources('export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void save('csv')}>{t('csv')}</Menu.Item>
        <Menu.Item onClick={() => void save('xlsx')}>{t('xlsx')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

export const ReportPage = ({ report }: ReportPageProps) => {
  const t = useText(reportTexts)
  const list = useGroups(report.name)
  const groups = list.data?.pages.flatMap(({ content }) => content)
  return (
    <>
      <PageHeader title={report.title} description={report.about} parent={{ to: '/reports', label: t('allReports') }}>
        <ExportReport report={report} />
      </PageHeader>
      {!groups && list.error && <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />}
      {!groups && !list.error && <Loading />}
      {groups?.length === 0 && <Empty title={t('empty')} />}
      {groups && groups.length > 0 && (
        <>
          <Box className="surface" p={report.chart ? 'md' : 0} mb="md" hidden={!report.chart}>
            <ReportDrawing report={report} groups={groups} height={280} />
          </Box>
          <ReportTable report={report} groups={groups} isWhole={!list.hasNextPage} />
          <MorePages list={list} />
        </>
      )}
    </>
  )
}
