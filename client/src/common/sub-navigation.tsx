// The pages of one area, as links that look like tabs: each has an address of its own.

import { Box, ScrollArea } from '@mantine/core'
import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import classes from './sub-navigation.module.css'

export interface SubPage {
  readonly to: string
  readonly label: ReactNode
  /** Only the very address, not those below it. */
  readonly end?: boolean
}

interface SubNavigationProps {
  readonly label: string
  readonly pages: readonly SubPage[]
}

export const SubNavigation = ({ label, pages }: SubNavigationProps) => (
  <Box component="nav" aria-label={label} mb="md">
    <ScrollArea type="auto" scrollbarSize={6} offsetScrollbars="present" viewportProps={{ tabIndex: -1 }}>
      <Box component="ul" className={classes.list}>
        {pages.map(({ to, label, end = false }) => (
          <li key={to}>
            <NavLink to={to} end={end} className={classes.link ?? ''}>
              {label}
            </NavLink>
          </li>
        ))}
      </Box>
    </ScrollArea>
  </Box>
)
