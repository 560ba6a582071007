import { Box, Button, Group, SimpleGrid, Text, ThemeIcon, Title } from '@mantine/core'
import { IconBook } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { Link } from 'react-router'
import { useDirectory } from '../../api/directory.ts'
import { application } from '../../application.ts'
import { useAreaNames, useAreas } from '../../areas.ts'
import classes from '../../common/card.module.css'
import { Empty } from '../../common/empty.tsx'
import { Loading } from '../../common/loading.tsx'
import { PageHeader } from '../../common/page-header.tsx'
import { ProblemAlert } from '../../common/problem-alert.tsx'
import { useReports } from '../../common/reports/reports.ts'
import { ResourceCards } from '../../common/resource-cards.tsx'
import { useText } from '../../i18n/dictionary.ts'
import { useSession } from '../../session/session.tsx'
import { homeTexts } from './dictionary.ts'
import { ModuleCards } from './module-cards.tsx'

const Section = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <Box component="section" mt="xl">
    <Title order={2} size="h4" mb="sm">
      {title}
    </Title>
    {children}
  </Box>
)

const AreaCards = () => {
  const { nameOf, aboutOf } = useAreaNames()
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="sm">
      {useAreas()
        .filter(({ path }) => path !== '')
        .map(area => {
          const { path, icon: Icon } = area
          return (
            <Link key={path} to={`/${path}`} className={classes.card}>
              <Group wrap="nowrap" align="flex-start">
                <ThemeIcon size={40} variant="light" aria-hidden>
                  <Icon size={22} />
                </ThemeIcon>
                <Box miw={0}>
                  <Text fw={600}>{nameOf(area)}</Text>
                  <Text size="sm" c="dimmed">
                    {aboutOf(area)}
                  </Text>
                </Box>
              </Group>
            </Link>
          )
        })}
    </SimpleGrid>
  )
}

const Records = () => {
  const t = useText(homeTexts)
  const { data, error, refetch } = useDirectory()
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading rows={4} />
  if (data.length === 0) return <Empty title={t('none')} />
  return <ResourceCards entries={data} />
}

/** Legends of charts need more styles than the rest of the page. */
const ReportCards = lazy(
  async () => (await Promise.all([import('./report-cards.tsx'), import('../../all-styles.ts')]))[0],
)

/** The reports that belong here arrive with what draws them, where there are any. */
const Reports = () => {
  const reports = useReports().data?.filter(({ card }) => card) ?? []
  return (
    reports.length > 0 && (
      <Suspense>
        <ReportCards reports={reports} />
      </Suspense>
    )
  )
}

const HomePage = () => {
  const t = useText(homeTexts)
  const { user } = useSession()
  const title = user
    ? t('welcomeBack', { name: user.firstName || user.name || user.username })
    : t('welcome', { application: application.name })
  return (
    <>
      <PageHeader title={title} description={t(user ? 'intro' : 'introSignedOut')} />
      <AreaCards />
      <ModuleCards />
      <Reports />
      <Section title={t('records')}>
        <Records />
      </Section>
      <Section title={t('developers')}>
        <Group className="surface" p="md" justify="space-between">
          <Text style={{ flex: '1 1 18rem' }}>{t('developersText')}</Text>
          <Button component="a" href="/apidoc" variant="default" leftSection={<IconBook size={18} aria-hidden />}>
            {t('reference')}
          </Button>
        </Group>
      </Section>
    </>
  )
}

export default HomePage
