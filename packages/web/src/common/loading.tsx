import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'
import { useText } from '../i18n/dictionary.ts'
import { commonTexts } from './dictionary.ts'

const bars = ['40%', '100%', '92%', '97%', '85%', '95%', '70%']

/** The outline of what is on its way. */
export const Loading = ({ rows = 5 }: { readonly rows?: number }) => {
  const t = useText(commonTexts)
  return (
    <Stack gap="sm" role="status" aria-busy="true">
      <VisuallyHidden>{t('loading')}</VisuallyHidden>
      {bars.slice(0, rows).map(width => (
        <Skeleton key={width} height={width === '40%' ? 28 : 16} width={width} />
      ))}
    </Stack>
  )
}
