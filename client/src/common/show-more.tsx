// The end of a list that goes on.

import { Box, Button, Center } from '@mantine/core'
import { useText } from '../i18n/dictionary.ts'
import { commonTexts } from './dictionary.ts'
import { ProblemAlert } from './problem-alert.tsx'

interface ShowMoreProps {
  readonly onMore: () => void
  readonly isLoading?: boolean
}

export const ShowMore = ({ onMore, isLoading = false }: ShowMoreProps) => {
  const t = useText(commonTexts)
  return (
    <Center p="sm">
      <Button variant="default" loading={isLoading} onClick={onMore}>
        {t('showMore')}
      </Button>
    </Center>
  )
}

interface Pages {
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  readonly isFetchNextPageError: boolean
  readonly error: unknown
  readonly fetchNextPage: () => Promise<unknown>
  readonly refetch: () => Promise<unknown>
}

/** For a list of which something is there, which stays in sight when more of it or its renewal fails. */
export const MorePages = ({ list }: { readonly list: Pages }) => {
  const { error, isFetchNextPageError, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = list
  const again = isFetchNextPageError ? fetchNextPage : refetch
  if (error && !isFetchingNextPage)
    return (
      <Box p="sm">
        <ProblemAlert error={error} onRetry={() => void again()} />
      </Box>
    )
  return hasNextPage && <ShowMore onMore={() => void fetchNextPage()} isLoading={isFetchingNextPage} />
}
