import { Anchor, Badge, Group, Text } from '@mantine/core'
import { useTexts, useUser } from '@plinth/web'
import { Link } from 'react-router'
import { accountTexts } from './dictionary.ts'
import { Section } from './section.tsx'
import { useRecord } from './service.ts'

/** The address, and whether it is known to be theirs; it is changed among the contact details. */
export const Email = () => {
  const t = useTexts(accountTexts)
  const { pk } = useUser()
  const { data } = useRecord('contactDetails', pk)
  const { value: email, verified: isVerified } = data?.primaryEmail ?? {}
  return (
    <Section title={t('email')} about={t('emailAbout')}>
      <Group justify="space-between">
        <Group gap="xs">
          <Text style={{ overflowWrap: 'anywhere' }}>{email ?? t('none')}</Text>
          {email !== undefined && (
            <Badge color={isVerified ? 'teal' : 'yellow'} variant="light" tt="none">
              {t(isVerified ? 'verified' : 'unverified')}
            </Badge>
          )}
        </Group>
        {data && (
          <Anchor component={Link} to={`/resources/contactDetails/${pk}/edit`}>
            {t('manageContacts')}
          </Anchor>
        )}
      </Group>
    </Section>
  )
}
