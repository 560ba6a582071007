// Before it is known who is there.

import { Box, Container, Title } from '@mantine/core'
import { ProblemAlert } from '../common/problem-alert.tsx'
import { useText } from '../i18n/dictionary.ts'
import { shellTexts } from './dictionary.ts'

const bars = (names: string) => [...names].map(name => <span key={name} />)

/** Looks like the page that `index.html` has drawn before. Its styles are there. */
export const Blank = () => {
  const t = useText(shellTexts)
  return (
    <div role="status" aria-label={t('loading')}>
      <div className="first-page" aria-hidden>
        <div className="first-header">{bars('a')}</div>
        <div className="first-body">
          <div className="first-menu">{bars('abcd')}</div>
          <div className="first-rows">{bars('abcde')}</div>
        </div>
      </div>
    </div>
  )
}

interface UnreachableProps {
  readonly error: unknown
  readonly onRetry: () => void
}

export const Unreachable = ({ error, onRetry }: UnreachableProps) => {
  const t = useText(shellTexts)
  return (
    <Container component="main" size="xs" py="xl">
      <Title order={1} size="h3" mb="md">
        {t('unreachableTitle')}
      </Title>
      <Box>
        <ProblemAlert error={error} onRetry={onRetry} />
      </Box>
    </Container>
  )
}
