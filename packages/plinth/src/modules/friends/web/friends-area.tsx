import { Badge, List, Text } from '@mantine/core'
import { NotFound, PageHeader, SubNavigation, useTexts } from '@plinth/web'
import { Route, Routes } from 'react-router'
import { BlockedPage, FriendsPage, RequestsPage } from './circle-pages.tsx'
import { friendsTexts } from './dictionary.ts'
import { FindPage } from './find-page.tsx'
import { InvitePage } from './invite-page.tsx'
import { type News, useFriendsLive } from './live-friends.ts'
import { useFriends } from './people.ts'
import { PersonPage } from './person-page.tsx'

/** How many wait for an answer. */
const RequestsLabel = () => {
  const t = useTexts(friendsTexts)
  const count = useFriends('PENDING').data?.pages[0]?.total ?? 0
  return (
    <>
      {t('requests')}
      {count > 0 && (
        <Badge size="sm" circle={count < 10} role="img" aria-label={t('waiting', { count })}>
          {count}
        </Badge>
      )}
    </>
  )
}

/** Shows the latest news, read out as it comes. */
const LatestNews = ({ news }: { readonly news: readonly News[] }) => {
  const t = useTexts(friendsTexts)
  return (
    <div role="log" aria-label={t('news')}>
      {news.length > 0 && (
        <Text size="xs" c="dimmed" tt="uppercase" fw={600} mt="lg" mb={4}>
          {t('news')}
        </Text>
      )}
      <List size="sm" c="dimmed" listStyleType="none" spacing={2}>
        {news.map(({ id, text }) => (
          <List.Item key={id}>{text}</List.Item>
        ))}
      </List>
    </div>
  )
}

const FriendsArea = () => {
  const t = useTexts(friendsTexts)
  const news = useFriendsLive()
  const pages = [
    { to: '/friends', label: t('friends'), end: true },
    { to: '/friends/requests', label: <RequestsLabel /> },
    { to: '/friends/find', label: t('find') },
    { to: '/friends/blocked', label: t('blocked') },
    { to: '/friends/invite', label: t('invite') },
  ]
  const main = (
    <>
      <PageHeader title={t('title')} />
      <SubNavigation label={t('pages')} pages={pages} />
      <Routes>
        <Route index element={<FriendsPage />} />
        <Route path="requests" element={<RequestsPage />} />
        <Route path="find" element={<FindPage />} />
        <Route path="blocked" element={<BlockedPage />} />
        <Route path="invite" element={<InvitePage />} />
        <Route path="*" element={<NotFound />} />
      </Routes>
    </>
  )
  return (
    <>
      <Routes>
        <Route path="people/:pk" element={<PersonPage />} />
        <Route path="*" element={main} />
      </Routes>
      <LatestNews news={news} />
    </>
  )
}

export default FriendsArea
