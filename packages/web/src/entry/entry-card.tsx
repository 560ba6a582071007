// The frame of the pages for signed-out users.

import { Anchor, Box, Button, Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { application } from '../application.ts'
import { usePageTitle } from '../common/page-header.tsx'
import { useText } from '../i18n/dictionary.ts'
import { entryTexts } from './dictionary.ts'

interface EntryCardProps {
  readonly title: string
  readonly intro?: string
  readonly children?: ReactNode
}

export const EntryCard = ({ title, intro, children }: EntryCardProps) => {
  usePageTitle(title)
  return (
    <Box className="surface" maw={440} mx="auto" mt={{ base: 'xs', sm: 'xl' }} p={{ base: 'md', sm: 'xl' }}>
      {application.logo && <img src={application.logo} alt="" height={48} className="logo" />}
      <Title order={1} size="h2">
        {title}
      </Title>
      {intro && (
        <Text c="dimmed" mt={4}>
          {intro}
        </Text>
      )}
      <Box mt="lg">{children}</Box>
    </Box>
  )
}

interface ElsewhereProps {
  readonly question: string
  readonly to: string
  readonly label: string
}

/** Links to another page of the entry. */
export const Elsewhere = ({ question, to, label }: ElsewhereProps) => (
  <Group gap={6} mt="lg" justify="center">
    <Text size="sm">{question}</Text>
    <Anchor component={Link} to={to} size="sm" underline="always">
      {label}
    </Anchor>
  </Group>
)

const ToSignIn = () => {
  const t = useText(entryTexts)
  return (
    <Button component={Link} to="/sign-in" fullWidth>
      {t('toSignIn')}
    </Button>
  )
}

/** The end of a way: what came of it, and on to signing in. */
export const EntryEnd = ({ title, intro, children }: EntryCardProps) => (
  <EntryCard title={title} {...(intro !== undefined && { intro })}>
    <ToSignIn />
    {children && <Box mt="lg">{children}</Box>}
  </EntryCard>
)

/** A link of a mail was cut short. */
export const IncompleteLink = () => {
  const t = useText(entryTexts)
  return <EntryEnd title={t('incomplete')} intro={t('incompleteText')} />
}
