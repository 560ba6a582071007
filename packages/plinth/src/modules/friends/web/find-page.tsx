import { Box, Button, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Empty, Loading, ProblemAlert, useTexts } from '@plinth/web'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { friendsTexts } from './dictionary.ts'
import { useFriendshipStates, usePeopleSearch } from './people.ts'
import { PeopleList } from './person-row.tsx'

const Found = ({ text }: { readonly text: string }) => {
  const t = useTexts(friendsTexts)
  const people = usePeopleSearch(text)
  const states = useFriendshipStates(people.data ?? [])
  const error = people.error ?? states.error
  if (error) return <ProblemAlert error={error} onRetry={() => void people.refetch().then(() => states.refetch())} />
  if (!people.data || (people.data.length > 0 && !states.data)) return <Loading rows={3} />
  if (people.data.length === 0)
    return (
      <Box className="surface">
        <Empty icon={IconSearch} title={t('searchNone')} text={t('searchNoneText')}>
          <Button component={Link} to="/friends/invite" variant="default" mt="xs">
            {t('toInvite')}
          </Button>
        </Empty>
      </Box>
    )
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs" role="status">
        {t('found', { count: people.data.length })}
      </Text>
      <PeopleList
        label={t('find')}
        people={people.data}
        stateOf={({ pk }) => states.data?.get(pk) ?? 'NONE'}
        showsState
      />
    </>
  )
}

export const FindPage = () => {
  const t = useTexts(friendsTexts)
  const [text, setText] = useState('')
  const [settled] = useDebouncedValue(text, 300)
  return (
    <>
      <TextInput
        type="search"
        label={t('searchLabel')}
        description={t('searchHint')}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={text}
        onChange={event => setText(event.currentTarget.value)}
        maxLength={200}
        autoFocus
        maw={480}
        mb="md"
      />
      {settled.trim().length < 2 ? (
        <Box className="surface">
          <Empty icon={IconSearch} title={t('searchBegin')} />
        </Box>
      ) : (
        <Found text={settled} />
      )}
    </>
  )
}
