// The page: a list of all sheets, and one of them.

import '../src/all-styles.ts'
import '../src/first-styles.ts'
import '../src/style.css'
import { Anchor, Box, Group, MantineProvider, Stack, Text, Title } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
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

/** Presses the button of the state, where it has one that opens something. */
const OneState = ({ sheet, at }: { readonly sheet: Sheet; readonly at: number }) => {
  const place = useRef<HTMLElement>(null)
  useEffect(() => {
    const find = () => place.current?.querySelector<HTMLElement>('button, [aria-haspopup]')
    const press = () => {
      const found = find()
      found?.click()
      return found
    }
    if (press()) return
    // Some have their button when their data has come.
    const waiting = new MutationObserver(() => press() && waiting.disconnect())
    if (place.current) waiting.observe(place.current, { childList: true, subtree: true })
    return () => waiting.disconnect()
  }, [])
  const { title, content } = sheet.states[at] ?? { title: '', content: null }
  const other = (to: number) =>
    `?${new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(location.search)), state: `${to}` })}`
  return (
    <Stack p="md" component="main">
      <Group>
        <Text size="xs" c="dimmed">
          {title}
        </Text>
        {at + 1 < sheet.states.length && (
          <Anchor href={other(at + 1)} size="xs">
            Next
          </Anchor>
        )}
      </Group>
      <section ref={place} aria-label={title}>
        {content}
      </section>
    </Stack>
  )
}

interface Choice {
  /** The name of a sheet; null for the list of all. */
  readonly sheet: string | null
  /** The number of the state, of sheets that show one at a time. */
  readonly state: number
  readonly look: 'light' | 'dark'
}

export const showWorkshop = async ({ sheet: name, state, look }: Choice): Promise<void> => {
  await firstLanguage
  const root = document.getElementById('root')
  if (!root) return
  const sheet = sheets.find(one => one.name === name)
  const page = sheet?.isOneByOne ? <OneState sheet={sheet} at={state} /> : sheet && <SheetPage sheet={sheet} />
  createRoot(root).render(
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} forceColorScheme={look}>
      <QueryClientProvider client={createQueryClient()}>
        <SessionProvider pending={null} failed={String}>
          <BrowserRouter>{page ?? <Contents />}</BrowserRouter>
        </SessionProvider>
      </QueryClientProvider>
    </MantineProvider>,
  )
}
