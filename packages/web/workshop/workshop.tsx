// The page: a list of all sheets, and one of them.

import '../src/all-styles.ts'
import '../src/first-styles.ts'
import '../src/style.css'
import { Anchor, Box, Group, MantineProvider, Stack, Text, Title } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { createQueryClient } from '../src/api/query-client.ts'
import { firstLanguage } from '../src/i18n/language.ts'
import { SessionProvider } from '../src/session/session.tsx'
import { cssVariables, theme } from '../src/theme.ts'
import type { Sheet } from './sheet.ts'
import { sheets } from './sheets.tsx'

const Contents = () => (
  <Stack p="md" component="main">
    <Title order={1}>Workshop</Title>
    {sheets.map(({ name, shows }) => (
      <Group key={name} gap="md" role="group" aria-label={name}>
        <Text w={160}>{name}</Text>
        {['look=light', 'look=dark', 'look=light&language=de', 'look=dark&language=de'].map(look => (
          <Anchor key={look} href={`?sheet=${name}&${look}`}>
            {look.replaceAll(/\w+=/g, '').replace('&', ', ')}
          </Anchor>
        ))}
        <Text c="dimmed">{shows.join(', ')}</Text>
      </Group>
    ))}
  </Stack>
)

const SheetPage = ({ sheet }: { readonly sheet: Sheet }) => (
  <Stack p="md" gap="lg" component="main">
    {sheet.states.map(({ title, content }) => (
      <Box key={title} component="section" aria-label={title}>
        <Text size="xs" c="dimmed" mb={4}>
          {title}
        </Text>
        {content}
      </Box>
    ))}
  </Stack>
)

interface Choice {
  /** The name of a sheet; null for the list of all. */
  readonly sheet: string | null
  readonly look: 'light' | 'dark'
}

export const showWorkshop = async ({ sheet: name, look }: Choice): Promise<void> => {
  await firstLanguage
  const root = document.getElementById('root')
  if (!root) return
  const sheet = sheets.find(one => one.name === name)
  createRoot(root).render(
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} forceColorScheme={look}>
      <QueryClientProvider client={createQueryClient()}>
        <SessionProvider pending={null} failed={String}>
          <BrowserRouter>{sheet ? <SheetPage sheet={sheet} /> : <Contents />}</BrowserRouter>
        </SessionProvider>
      </QueryClientProvider>
    </MantineProvider>,
  )
}
