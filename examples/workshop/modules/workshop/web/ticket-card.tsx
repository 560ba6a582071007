// A repair on the board, with what can be done about it next.

import { Anchor, Button, Card, Group, Modal, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { defineDictionary, notify, ProblemAlert, useTexts } from '@plinth/web'
import { Link } from 'react-router'
import { EndpointForm, useEndpoint } from './api.ts'

const cardTexts = defineDictionary(
  'workshopCard',
  { take: 'Take over', collect: 'Collect', collected: 'Invoice {number} is made.', close: 'Close' },
  { take: 'Übernehmen', collect: 'Abholen', collected: 'Rechnung {number} ist erstellt.', close: 'Schließen' },
)

interface TicketCardProps {
  readonly ticket: {
    readonly pk: string
    readonly number: string
    readonly damage: string
    readonly state: string | null
    readonly device: { readonly name?: string }
  }
}

export const TicketCard = ({ ticket: { pk, number, damage, state, device } }: TicketCardProps) => {
  const t = useTexts(cardTexts)
  const take = useEndpoint('POST /api/rest/tickets/{pk}/take')
  const [isCollecting, collecting] = useDisclosure()
  return (
    <Card withBorder padding="sm">
      <Anchor component={Link} to={`/resources/tickets/${pk}`} fw={600} c="inherit">
        {number} · {device.name}
      </Anchor>
      <Text size="sm" lineClamp={2}>
        {damage}
      </Text>
      <ProblemAlert error={take.problem} />
      <Group gap="xs" mt="xs">
        {state === 'received' && (
          <Button size="xs" variant="light" loading={take.isPending} onClick={() => take.call({ params: { pk } })}>
            {t('take')}
          </Button>
        )}
        {state === 'ready' && (
          <Button size="xs" variant="light" onClick={collecting.open}>
            {t('collect')}
          </Button>
        )}
      </Group>
      <Modal
        opened={isCollecting}
        onClose={collecting.close}
        title={`${t('collect')}: ${number}`}
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        <EndpointForm
          route="POST /api/rest/tickets/{pk}/collect"
          params={{ pk }}
          onDone={invoice => {
            collecting.close()
            notify(t('collected', { number: invoice.number }))
          }}
        />
      </Modal>
    </Card>
  )
}
