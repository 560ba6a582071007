// The end of a list that goes on.

import { Box, Button, Center } from '@mantine/core'
import { useText } from '../i18n/dictionary.ts'
import { commonTexts } from './dictionary.ts'
import { useKeptFocus } from './kept-focus.ts'
import { ProblemAlert } from './problem-alert.tsx'

interface ShowMoreProps {
  readonly onMore: () => void
  readonly isLoading: boolean
  /** The last time it did not work. */
  readonly hasFailed: boolean
}

const ShowMore = ({ onMore, isLoading, hasFailed }: ShowMoreProps) => {
  const t = useText(commonTexts)
  const button = useKeptFocus(isLoading)
  return (
    <Center p="sm">
      <Button ref={button} variant="default" loading={isLoading} onClick={onMore}>
        {t(hasFailed ? 'retry' : 'showMore')}
      </Button>
    </Center>
  )
}

interface Pages {
  readonly hasNextPage: boolean
  readonly isFetching: boolean
  readonly isFetchingNextPage: boolean
  readonly isFetchNextPageError: boolean
  readonly error: unknown
  readonly fetchNextPage: () => Promise<unknown>
  readonly refetch: () => Promise<unknown>
}

/** Shows more of a list of which something is there, which stays in sight when more of it or its renewal fails. */
export const MorePages = ({ list }: { readonly list: Pages }) => {
  const { error, isFetchNextPageError, hasNextPage, isFetching, isFetchingNextPage, fetchNextPage, refetch } = list
  const hasFailed = error !== null && !isFetchingNextPage
  const ask = hasFailed && !isFetchNextPageError ? refetch : fetchNextPage
  return (
    <>
      {hasFailed && (
        <Box px="sm" pt="sm">
          <ProblemAlert error={error} />
        </Box>
      )}
      {/* One button for both, which keeps the focus. */}
      {(hasFailed || hasNextPage) && (
        <ShowMore
          hasFailed={hasFailed}
          onMore={() => void ask()}
          isLoading={isFetchingNextPage || (hasFailed && isFetching)}
        />
      )}
    </>
  )
}
