import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'
import { useText } from '../i18n/dictionary.ts'
import { commonTexts } from './dictionary.ts'
import { ProblemAlert } from './problem-alert.tsx'

const bars = ['40%', '100%', '92%', '97%', '85%', '95%', '70%']

interface LoadingProps {
  readonly rows?: number
  /** The reason why it does not come. */
  readonly error?: unknown
}

/** The outline of what is on its way, or the problem when it does not come. */
export const Loading = ({ rows = 5, error }: LoadingProps) => {
  const t = useText(commonTexts)
  if (error) return <ProblemAlert error={error} />
  return (
    <Stack gap="sm" role="status" aria-busy="true">
      <VisuallyHidden>{t('loading')}</VisuallyHidden>
      {bars.slice(0, rows).map(width => (
        <Skeleton key={width} height={width === '40%' ? 28 : 16} width={width} />
      ))}
    </Stack>
  )
}
