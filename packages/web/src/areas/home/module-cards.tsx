// The cards that modules bring, for those who may see them.

import { Anchor, Box, Paper, SimpleGrid, Skeleton, Title } from '@mantine/core'
import { Link } from 'react-router'
import { useIsOn } from '../../api/modules.ts'
import { useTitles } from '../../i18n/title.ts'
import { isAllowed } from '../../kit/caller-rule.ts'
import type { Card } from '../../kit/define-web.ts'
import { useModulePages } from '../../module-pages/module-pages.ts'
import { ModulePart } from '../../module-pages/module-part.tsx'
import { useSession } from '../../session/session.tsx'

const nothing = {}

const ModuleCard = ({ card: { title, to, content, isWide = false } }: { readonly card: Card }) => {
  const titleOf = useTitles()
  return (
    <Paper component="section" className="surface" p="md" style={isWide ? { gridColumn: 'span 2' } : undefined}>
      <Title order={2} size="h5" mb="xs">
        {to === undefined ? (
          titleOf(title)
        ) : (
          <Anchor component={Link} to={to} inherit>
            {titleOf(title)}
          </Anchor>
        )}
      </Title>
      <ModulePart content={content} props={nothing} pending={<Skeleton height={80} />} />
    </Paper>
  )
}

export const ModuleCards = () => {
  const { user } = useSession()
  const isOn = useIsOn()
  const { modules } = useModulePages()
  const cards = modules
    .filter(({ module }) => isOn(module, false))
    .flatMap(({ module, cards = [] }) => cards.map(card => ({ key: `${module} ${card.name}`, card })))
    .filter(({ card }) => isAllowed(card.access, user))
  if (cards.length === 0) return null
  return (
    <Box mt="md">
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }} spacing="sm">
        {cards.map(({ key, card }) => (
          <ModuleCard key={key} card={card} />
        ))}
      </SimpleGrid>
    </Box>
  )
}
