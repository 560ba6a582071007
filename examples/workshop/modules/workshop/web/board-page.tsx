// The repairs as cards, in a column for each state.

import { Button, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { defineDictionary, Loading, PageHeader, useTexts, useTitles } from '@plinth/web'
import { Link } from 'react-router'
import { useRecords } from './api.ts'
import { states } from './states.ts'
import { TicketCard } from './ticket-card.tsx'

const boardTexts = defineDictionary(
  'workshopBoard',
  { title: 'Repairs', none: 'None', takeIn: 'Take in a device' },
  { title: 'Reparaturen', none: 'Keine', takeIn: 'Gerät annehmen' },
)

const BoardPage = () => {
  const t = useTexts(boardTexts)
  const titleOf = useTitles()
  const { data, error } = useRecords('tickets', {
    where: { state: { in: ['received', 'repairing', 'ready'] } },
    include: ['device'],
    sort: 'number',
    limit: 200,
  })
  if (!data) return <Loading error={error} />
  return (
    <>
      <PageHeader title={t('title')}>
        <Button component={Link} to="/reception">
          {t('takeIn')}
        </Button>
      </PageHeader>
      <SimpleGrid cols={{ base: 1, sm: states.length }}>
        {states.map(({ name, title }) => {
          const tickets = data.items.filter(({ state }) => state === name)
          return (
            <Stack key={name} gap="xs" component="section" aria-label={titleOf(title)}>
              <Title order={2} size="h5">
                {titleOf(title)}
              </Title>
              {tickets.map(ticket => (
                <TicketCard key={ticket.pk} ticket={ticket} />
              ))}
              {tickets.length === 0 && <Text c="dimmed">{t('none')}</Text>}
            </Stack>
          )
        })}
      </SimpleGrid>
    </>
  )
}

export default BoardPage
