import { SimpleGrid, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { DirectoryEntry } from '../../api/directory.ts'
import { useDescription } from '../../i18n/descriptions.ts'
import { useLabel } from '../../i18n/labels.ts'
import classes from './home.module.css'

/** What there is, each leading to its list. */
export const ResourceCards = ({ entries }: { readonly entries: readonly DirectoryEntry[] }) => {
  const label = useLabel()
  const describe = useDescription()
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3, xl: 4 }} spacing="sm">
      {entries.map(({ name, title, about }) => (
        <Link key={name} to={`/resources/${name}`} className={classes.card}>
          <Text fw={600}>{label(title)}</Text>
          <Text size="sm" c="dimmed" lineClamp={2}>
            {describe(about)}
          </Text>
        </Link>
      ))}
    </SimpleGrid>
  )
}
