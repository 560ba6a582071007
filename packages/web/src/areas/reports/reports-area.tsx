import { SimpleGrid, Stack, Text } from '@mantine/core'
import { Link, Route, Routes, useParams } from 'react-router'
import classes from '../../common/card.module.css'
import { Empty } from '../../common/empty.tsx'
import { Loading } from '../../common/loading.tsx'
import { PageHeader } from '../../common/page-header.tsx'
import { ProblemAlert } from '../../common/problem-alert.tsx'
import { reportTexts } from '../../common/reports/dictionary.ts'
import { useReports } from '../../common/reports/reports.ts'
import { useText } from '../../i18n/dictionary.ts'
import { NotFound } from '../../shell/not-found.tsx'
import { ReportPage } from './report-page.tsx'

const ReportList = () => {
  const t = useText(reportTexts)
  const { data, error, refetch } = useReports()
  return (
    <>
      <PageHeader title={t('title')} />
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data?.length === 0 && <Empty title={t('none')} />}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
        {data?.map(({ name, title, about }) => (
          <Link key={name} to={`/reports/${name}`} className={classes.card}>
            <Stack gap={2}>
              <Text fw={600}>{title}</Text>
              {about && (
                <Text size="sm" c="dimmed">
                  {about}
                </Text>
              )}
            </Stack>
          </Link>
        ))}
      </SimpleGrid>
    </>
  )
}

const NamedReport = () => {
  const { name } = useParams()
  const { data, error, refetch } = useReports()
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  const report = data.find(one => one.name === name)
  return report ? <ReportPage key={report.name} report={report} /> : <NotFound />
}

const ReportsArea = () => (
  <Routes>
    <Route index element={<ReportList />} />
    <Route path=":name" element={<NamedReport />} />
    <Route path="*" element={<NotFound />} />
  </Routes>
)

export default ReportsArea
