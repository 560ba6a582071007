// Before it is known who is there.

import { Box, Center, Container, Loader, Title } from '@mantine/core'
import { ProblemAlert } from '../common/problem-alert.tsx'
import { useText } from '../i18n/dictionary.ts'
import { shellTexts } from './dictionary.ts'

export const Blank = () => {
  const t = useText(shellTexts)
  return (
    <Center h="100dvh" role="status">
      <Loader type="dots" aria-label={t('loading')} />
    </Center>
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
