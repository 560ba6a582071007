// The pages of one area, as links that look like tabs: each has an address of its own.

import { Box, ScrollArea } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { NavLink, useLocation } from 'react-router'
import classes from './sub-navigation.module.css'

export interface SubPage {
  readonly to: string
  readonly label: ReactNode
  /** Says that only the very address counts, not those below it. */
  readonly end?: boolean
}

interface SubNavigationProps {
  readonly label: string
  readonly pages: readonly SubPage[]
}

/** Keeps the present entry in sight: on a phone the list is wider than the page. */
const useCurrentInSight = () => {
  const list = useRef<HTMLUListElement>(null)
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address marks another link
  useEffect(() => {
    list.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [pathname])
  return list
}

export const SubNavigation = ({ label, pages }: SubNavigationProps) => {
  const list = useCurrentInSight()
  return (
    <Box component="nav" aria-label={label} mb="md">
      <ScrollArea type="auto" scrollbarSize={6} offsetScrollbars="present" viewportProps={{ tabIndex: -1 }}>
        <Box component="ul" ref={list} className={classes.list}>
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
}
