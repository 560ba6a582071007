// The lists of friends, friend requests in both directions, and blocked users.

import { Box, Button, Group, Text, Title } from '@mantine/core'
import { Empty, Loading, MorePages, ProblemAlert, useTexts } from '@plinth/web'
import { IconBan, IconUsers } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { friendsTexts } from './dictionary.ts'
import { peopleIn, useFriends } from './people.ts'
import { PeopleList } from './person-row.tsx'
import type { FriendshipState } from './service.ts'

interface CircleProps {
  readonly label: string
  readonly state: FriendshipState
  readonly empty: ReactNode
}

const Circle = ({ label, state, empty }: CircleProps) => {
  const list = useFriends(state)
  const { data, error, refetch } = list
  if (error && !data) return <ProblemAlert error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading rows={4} />
  const people = peopleIn(data.pages)
  return (
    <>
      {people.length === 0 ? empty : <PeopleList label={label} people={people} stateOf={() => state} />}
      <MorePages list={list} />
    </>
  )
}

export const FriendsPage = () => {
  const t = useTexts(friendsTexts)
  const empty = (
    <Box className="surface">
      <Empty icon={IconUsers} title={t('noFriends')} text={t('noFriendsText')}>
        <Group justify="center" mt="xs">
          <Button component={Link} to="/friends/find">
            {t('toFind')}
          </Button>
          <Button component={Link} to="/friends/invite" variant="default">
            {t('toInvite')}
          </Button>
        </Group>
      </Empty>
    </Box>
  )
  return <Circle label={t('friends')} state="CONFIRMED" empty={empty} />
}

const Section = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <Box component="section" mb="lg">
    <Title order={2} size="h5" mb="xs">
      {title}
    </Title>
    {children}
  </Box>
)

const EmptyCircle = ({ text }: { readonly text: string }) => (
  <Text className="surface" c="dimmed" size="sm" px="md" py="sm">
    {text}
  </Text>
)

export const RequestsPage = () => {
  const t = useTexts(friendsTexts)
  return (
    <>
      <Section title={t('received')}>
        <Circle label={t('received')} state="PENDING" empty={<EmptyCircle text={t('noReceived')} />} />
      </Section>
      <Section title={t('sent')}>
        <Circle label={t('sent')} state="SENT" empty={<EmptyCircle text={t('noSent')} />} />
      </Section>
    </>
  )
}

export const BlockedPage = () => {
  const t = useTexts(friendsTexts)
  const empty = (
    <Box className="surface">
      <Empty icon={IconBan} title={t('noBlocked')} text={t('noBlockedText')} />
    </Box>
  )
  return <Circle label={t('blocked')} state="BLOCK" empty={empty} />
}
