import { Box, Group, Text, Title } from '@mantine/core'
import { hasRole, Loading, MorePages, PageHeader, ProblemAlert, useFormats, useTexts, useUser } from '@plinth/web'
import { useParams } from 'react-router'
import { friendsTexts } from './dictionary.ts'
import { FriendshipActs } from './friendship-buttons.tsx'
import { forStrangers, nameOf, peopleIn, useFriends, useFriendshipStates, useProfile } from './people.ts'
import { PeopleList, PersonAvatar, Presence } from './person-row.tsx'
import type { PersonSummary, Profile } from './service.ts'

/** A friend of a friend may be blocked or unknown, so the own relation to each is looked up. */
const TheirFriends = ({ person }: { readonly person: PersonSummary }) => {
  const t = useTexts(friendsTexts)
  const list = useFriends('CONFIRMED', person.pk)
  const { data, error, refetch } = list
  const people = peopleIn(data?.pages)
  const states = useFriendshipStates(people)
  if (error && !data) return <ProblemAlert error={error} onRetry={() => void refetch()} />
  if (states.error && !states.data) return <ProblemAlert error={states.error} onRetry={() => void states.refetch()} />
  if (!data || (people.length > 0 && !states.data)) return <Loading rows={3} />
  return (
    <>
      {people.length === 0 ? (
        <Text className="surface" c="dimmed" size="sm" px="md" py="sm">
          {t('theirNone')}
        </Text>
      ) : (
        <PeopleList
          label={t('theirFriends', { name: nameOf(person) })}
          people={people}
          stateOf={({ pk }) => states.data?.get(pk) ?? 'NONE'}
          showsState
        />
      )}
      <MorePages list={list} />
    </>
  )
}

const About = ({ profile: known }: { readonly profile: Profile }) => {
  const t = useTexts(friendsTexts)
  const formats = useFormats()
  const user = useUser()
  const isSelf = user.pk === known.pk
  const states = useFriendshipStates([known])
  const state = states.data?.get(known.pk) ?? 'NONE'
  const name = nameOf(known)
  const maySee = isSelf || state === 'CONFIRMED' || hasRole(user, 'ROLE_SITE_OPERATOR')
  const profile = maySee ? known : forStrangers(known)
  const isHere = (profile.stompSessionCount ?? 0) > 0
  return (
    <>
      <PageHeader title={name} parent={{ to: '/friends', label: t('friends') }}>
        {!isSelf && states.data && <FriendshipActs person={profile} state={state} />}
      </PageHeader>
      <Group className="surface" p="md" mb="lg" align="flex-start" wrap="nowrap">
        <PersonAvatar person={profile} size={64} />
        <Box miw={0}>
          <Text size="sm" c="dimmed">
            {profile.username}
            {profile.stompSessionCount !== undefined && <Presence person={profile} />}
          </Text>
          {profile.lastVisit && !isHere && (
            <Text size="sm" c="dimmed">
              {t('lastVisit', { when: formats.ago(profile.lastVisit) })}
            </Text>
          )}
          {profile.description && (
            <Text mt="xs" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
              {profile.description}
            </Text>
          )}
        </Box>
      </Group>
      <Title order={2} size="h5" mb="xs">
        {t('theirFriends', { name })}
      </Title>
      {states.error ? <ProblemAlert error={states.error} onRetry={() => void states.refetch()} /> : null}
      {maySee ? <TheirFriends person={profile} /> : <Text c="dimmed">{t('theirHidden')}</Text>}
    </>
  )
}

export const PersonPage = () => {
  const t = useTexts(friendsTexts)
  const { pk = '' } = useParams()
  const { data, error, refetch } = useProfile(pk)
  if (data) return <About profile={data} />
  return (
    <>
      <PageHeader title={t('title')} parent={{ to: '/friends', label: t('friends') }} />
      {error ? <ProblemAlert error={error} onRetry={() => void refetch()} /> : <Loading />}
    </>
  )
}
