// The title of a page with what can be done there; it also names the window.

import { Anchor, Box, Group, Text, Title } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { type ReactNode, useEffect } from 'react'
import { Link, type To } from 'react-router'
import { application } from '../application.ts'

interface PageHeaderProps {
  readonly title: string
  readonly description?: ReactNode
  /** The page that this one belongs to. */
  readonly parent?: { readonly to: To; readonly label: string; readonly state?: object }
  readonly children?: ReactNode
  /** 2 below the header of an area. */
  readonly level?: 1 | 2
}

export const usePageTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} · ${application.name}`
  }, [title])
}

export const PageHeader = ({ title, description, parent, children, level = 1 }: PageHeaderProps) => {
  usePageTitle(title)
  return (
    <Box mb="md">
      {parent && (
        <Anchor
          component={Link}
          to={parent.to}
          state={parent.state}
          size="sm"
          mb={4}
          display="inline-flex"
          style={{ alignItems: 'center' }}
        >
          <IconChevronLeft size={16} aria-hidden style={{ flexShrink: 0 }} />
          <Text span inherit dir="auto" lineClamp={1} style={{ wordBreak: 'break-all' }}>
            {parent.label}
          </Text>
        </Anchor>
      )}
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box style={{ flex: '1 1 16rem', minWidth: 0 }}>
          <Title order={level} size={level === 1 ? 'h2' : 'h3'} style={{ overflowWrap: 'anywhere' }}>
            <bdi>{title}</bdi>
          </Title>
          {description && (
            <Text c="dimmed" size="sm" mt={2}>
              {description}
            </Text>
          )}
        </Box>
        {children && <Group gap="xs">{children}</Group>}
      </Group>
    </Box>
  )
}
