// One kind of failure with its stack trace, and one single error.

import { Anchor, Box, Title } from '@mantine/core'
import { Loading, PageHeader, ProblemAlert, useFormats, useTexts } from '@plinth/web'
import { Link, useParams } from 'react-router'
import { managementTexts } from './dictionary.ts'
import { ErrorList, placeOf } from './errors-page.tsx'
import { Facts } from './facts.tsx'
import classes from './management.module.css'
import { useRecord } from './service.ts'

/**
 * Shows a stack trace. Long lines scroll within, so the block can be focused to scroll it by keyboard (WCAG 2.2,
 * 2.1.1).
 */
const Stacktrace = ({ text, label }: { readonly text: string; readonly label: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
  <section className={`surface ${classes.stack}`} tabIndex={0} aria-label={label}>
    {text}
  </section>
)

export const ErrorLogPage = () => {
  const t = useTexts(managementTexts)
  const formats = useFormats()
  const { data, error, refetch } = useRecord('errorLogs', useParams().pk)
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  const time = (iso: string | null) => (iso ? formats.dateTime(iso) : '–')
  return (
    <>
      <PageHeader
        level={2}
        title={data.rootCauseMessage || data.pk.slice(0, 12)}
        parent={{ to: '/management/errors', label: t('toErrors') }}
      />
      <Box className="surface" p="md" mb="md">
        <Facts
          facts={[
            [t('count'), t('times', { count: data.errorCount })],
            [t('first'), time(data.firstOccurred)],
            [t('last'), time(data.lastOccurred)],
          ]}
        />
      </Box>
      <Title order={3} size="h5" mb="xs">
        {t('stack')}
      </Title>
      <Stacktrace text={data.stacktrace} label={t('stack')} />
      <Title order={3} size="h5" mt="lg" mb="xs">
        {t('theseErrors')}
      </Title>
      <ErrorList caption={t('theseErrors')} filter={`errorLog==${data.pk}`} />
    </>
  )
}

export const ErrorPage = () => {
  const t = useTexts(managementTexts)
  const formats = useFormats()
  const { data, error, refetch } = useRecord('allErrors', useParams().pk, { include: ['userAgent'] })
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  const facts = [
    [t('when'), formats.dateTime(data.createdDate)],
    [t('kind'), t(data.kind === 'system' ? 'kindSystem' : 'kindClient')],
    [t('where'), placeOf(data)],
    [t('status'), data.httpStatusCode],
    [t('by'), data.createdBy?.username ?? t('anonymous')],
    [t('address'), data.remoteAddress],
    [t('program'), data.userAgent?.value],
    [t('description'), data.description && <span style={{ whiteSpace: 'pre-wrap' }}>{data.description}</span>],
    [t('state'), data.state && <span style={{ whiteSpace: 'pre-wrap' }}>{data.state}</span>],
  ] as const
  return (
    <>
      <PageHeader
        level={2}
        title={data.message}
        parent={{ to: '/management/errors?view=each', label: t('toErrors') }}
      />
      <Box className="surface" p="md">
        <Facts facts={facts.filter(([, value]) => value !== null && value !== undefined && value !== '')} />
        {data.errorLog && (
          <Anchor
            component={Link}
            to={`/management/errors/logs/${encodeURIComponent(data.errorLog.pk)}`}
            size="sm"
            mt="sm"
            display="inline-block"
          >
            {t('causeLink')}
          </Anchor>
        )}
      </Box>
    </>
  )
}
