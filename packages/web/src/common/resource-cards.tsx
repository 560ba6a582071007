import { SimpleGrid, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { DirectoryEntry } from '../api/directory.ts'
import classes from './card.module.css'

/** What there is, each leading to its list. */
export const ResourceCards = ({ entries }: { readonly entries: readonly DirectoryEntry[] }) => (
  <SimpleGrid cols={{ base: 1, xs: 2, md: 3, xl: 4 }} spacing="sm">
    {entries.map(({ name, title, about }) => (
      <Link key={name} to={`/resources/${name}`} className={classes.card}>
        <Text fw={600}>{title}</Text>
        <Text size="sm" c="dimmed" lineClamp={2}>
          {about}
        </Text>
      </Link>
    ))}
  </SimpleGrid>
)
