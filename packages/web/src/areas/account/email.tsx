import { Anchor, Badge, Group, Text } from '@mantine/core'
import { Link } from 'react-router'
import { useItem } from '../../common/records/use-item.ts'
import { useText } from '../../i18n/dictionary.ts'
import { useUser } from '../../session/session.tsx'
import { accountTexts } from './dictionary.ts'
import { Section } from './section.tsx'

const partOf = (value: unknown, part: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined

/** The address, and whether it is known to be theirs; it is changed among the contact details. */
export const Email = () => {
  const t = useText(accountTexts)
  const { pk } = useUser()
  const { data } = useItem('contactDetails', pk)
  const email = partOf(data?.record.primaryEmail, 'value')
  const isVerified = partOf(data?.record.primaryEmail, 'verified') === true
  return (
    <Section title={t('email')} about={t('emailAbout')}>
      <Group justify="space-between">
        <Group gap="xs">
          <Text style={{ overflowWrap: 'anywhere' }}>{typeof email === 'string' ? email : t('none')}</Text>
          {typeof email === 'string' && (
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
