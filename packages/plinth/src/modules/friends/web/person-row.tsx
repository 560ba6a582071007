// One person in a list: who they are, whether they are there, and what one can do.

import { Anchor, Avatar, Badge, Box, Indicator, Text } from '@mantine/core'
import { initialsOf, useSession, useTexts } from '@plinth/web'
import { Link } from 'react-router'
import { friendsTexts } from './dictionary.ts'
import classes from './friends.module.css'
import { type ActsProps, FriendshipActs } from './friendship-buttons.tsx'
import { forStrangers, nameOf, type StandingState } from './people.ts'
import type { PersonSummary } from './service.ts'

export const PersonAvatar = ({ person, size = 40 }: { readonly person: PersonSummary; readonly size?: number }) => {
  const isHere = (person.stompSessionCount ?? 0) > 0
  return (
    <Indicator color="teal" size={12} offset={5} withBorder disabled={!isHere} position="bottom-end">
      <Avatar src={person.avatarUrl} alt="" radius="xl" size={size} color="brand">
        {initialsOf(person).toUpperCase()}
      </Avatar>
    </Indicator>
  )
}

/** Shows the presence in words too: colour alone says nothing to some (WCAG 2.2, 1.4.1). */
export const Presence = ({ person }: { readonly person: PersonSummary }) => {
  const t = useTexts(friendsTexts)
  const isHere = (person.stompSessionCount ?? 0) > 0
  return (
    <Text span size="sm" c={isHere ? 'teal' : 'dimmed'}>
      {' · '}
      {t(isHere ? 'online' : 'offline')}
    </Text>
  )
}

const badges: Partial<Record<StandingState, 'isFriend' | 'asked' | 'unavailable'>> = {
  CONFIRMED: 'isFriend',
  SENT: 'asked',
  BLOCK_INVERSE: 'unavailable',
}

interface PersonRowProps extends ActsProps {
  /** Shows the state, where people of all kinds stand together. */
  readonly showsState?: boolean
}

export const PersonRow = ({ person: known, state, showsState = false }: PersonRowProps) => {
  const t = useTexts(friendsTexts)
  const { user } = useSession()
  const isSelf = user?.pk === known.pk
  const person = isSelf || state === 'CONFIRMED' ? known : forStrangers(known)
  const badge = badges[state]
  return (
    <li className={classes.row}>
      <PersonAvatar person={person} />
      <Box miw={0} style={{ flex: '1 1 9rem' }}>
        <Anchor
          component={Link}
          to={`/friends/people/${encodeURIComponent(person.pk)}`}
          c="inherit"
          fw={600}
          truncate="end"
          display="block"
          dir="auto"
          ta="left"
        >
          {nameOf(person)}
        </Anchor>
        <Text size="sm" c="dimmed" truncate="end">
          {person.username}
          {person.stompSessionCount !== undefined && <Presence person={person} />}
        </Text>
      </Box>
      {showsState && badge && (
        <Badge variant="light" color={state === 'CONFIRMED' ? 'teal' : 'gray'} tt="none" visibleFrom="xs">
          {t(badge)}
        </Badge>
      )}
      {isSelf ? (
        <Badge variant="light" color="gray" tt="none">
          {t('you')}
        </Badge>
      ) : (
        <FriendshipActs person={person} state={state} />
      )}
    </li>
  )
}

interface PeopleListProps {
  readonly label: string
  readonly people: readonly PersonSummary[]
  readonly stateOf: (person: PersonSummary) => StandingState
  readonly showsState?: boolean
}

export const PeopleList = (props: PeopleListProps) => {
  const { label, people, stateOf, showsState = false } = props
  return (
    <ul className={`surface ${classes.list}`} aria-label={label}>
      {people.map(person => (
        <PersonRow key={person.pk} person={person} state={stateOf(person)} showsState={showsState} />
      ))}
    </ul>
  )
}
