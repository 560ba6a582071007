// Drawn from the areas, and from what the service says there is.

import { Collapse, NavLink, ScrollArea, Text } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { type DirectoryEntry, useDirectory } from '../api/directory.ts'
import { useAreaNames, useAreas } from '../areas.ts'
import { useText } from '../i18n/dictionary.ts'
import { shellTexts } from './dictionary.ts'

const isWithin = (pathname: string, path: string): boolean =>
  path === '/' ? pathname === '/' : pathname === path || pathname.startsWith(`${path}/`)

interface NavigationProps {
  readonly onNavigate: () => void
}

const byModule = (entries: readonly DirectoryEntry[]): ReadonlyMap<string, readonly DirectoryEntry[]> => {
  const groups = new Map<string, DirectoryEntry[]>()
  for (const entry of entries) {
    const group = groups.get(entry.module)
    if (group) group.push(entry)
    else groups.set(entry.module, [entry])
  }
  return groups
}

interface GroupProps extends NavigationProps {
  readonly entries: readonly DirectoryEntry[]
}

/** The entry of the present page is in sight: when the page is opened, and when its group has unfolded. */
const intoView = (entry: Element | null | undefined): void => entry?.scrollIntoView({ block: 'nearest' })

/** A button that shows and hides the links below it (WAI-ARIA APG, "Disclosure"). */
const RecordGroup = ({ entries, onNavigate }: GroupProps) => {
  const { pathname } = useLocation()
  const id = useId()
  const hasCurrent = entries.some(({ name }) => isWithin(pathname, `/resources/${name}`))
  const [isOpen, setIsOpen] = useState(hasCurrent)
  const [hadCurrent, setHadCurrent] = useState(hasCurrent)
  if (hasCurrent !== hadCurrent) {
    setHadCurrent(hasCurrent)
    if (hasCurrent) setIsOpen(true)
  }
  return (
    <>
      <NavLink
        component="button"
        type="button"
        label={entries[0]?.moduleTitle}
        opened={isOpen}
        rightSection={<IconChevronRight size={14} aria-hidden />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      />
      <Collapse
        id={id}
        expanded={isOpen}
        ps="md"
        onTransitionEnd={() => intoView(document.getElementById(id)?.querySelector('[aria-current]'))}
      >
        {entries.map(({ name, title }) => {
          const to = `/resources/${name}`
          const isCurrent = isWithin(pathname, to)
          return (
            <NavLink
              key={name}
              component={Link}
              to={to}
              ref={isCurrent ? intoView : undefined}
              label={title}
              active={isCurrent}
              aria-current={isCurrent ? 'page' : undefined}
              onClick={onNavigate}
            />
          )
        })}
      </Collapse>
    </>
  )
}

const RecordLinks = ({ onNavigate }: NavigationProps) => {
  const { data = [] } = useDirectory()
  return [...byModule(data)].map(([module, entries]) => (
    <RecordGroup key={module} entries={entries} onNavigate={onNavigate} />
  ))
}

export const Navigation = ({ onNavigate }: NavigationProps) => {
  const t = useText(shellTexts)
  const { nameOf } = useAreaNames()
  const { pathname } = useLocation()
  return (
    <ScrollArea type="hover" style={{ flex: 1 }}>
      {useAreas().map(area => {
        const { path, icon: Icon } = area
        const to = `/${path}`
        const isCurrent = isWithin(pathname, to)
        return (
          <NavLink
            key={path}
            component={Link}
            to={to}
            label={nameOf(area)}
            leftSection={<Icon size={18} />}
            active={isCurrent}
            aria-current={isCurrent ? 'page' : undefined}
            onClick={onNavigate}
          />
        )
      })}
      <Text size="xs" c="dimmed" tt="uppercase" fw={600} px="sm" mt="md" mb={4}>
        {t('records')}
      </Text>
      <RecordLinks onNavigate={onNavigate} />
    </ScrollArea>
  )
}
