// A page that one goes to begins at its top; one that one goes back to stands where it was left.

import { type RefObject, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { keepPlace, placeAt } from '../common/places.ts'

/** A user who scrolls the page does not want it moved back. */
const ownMoves = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const

/** The page grows while its content arrives, so the place may be out of reach at first. Gives what stops trying. */
const scrollWhenThere = (page: HTMLElement, top: number): (() => void) => {
  const observer = new ResizeObserver(() => {
    window.scrollTo(0, top)
    if (Math.abs(window.scrollY - top) < 1) stop()
  })
  const stop = () => {
    observer.disconnect()
    for (const move of ownMoves) window.removeEventListener(move, stop)
  }
  observer.observe(page)
  for (const move of ownMoves) window.addEventListener(move, stop, { passive: true })
  return stop
}

export const useKeptScroll = (page: RefObject<HTMLElement | null>): void => {
  const { key, pathname } = useLocation()
  const name = `${key} ${pathname}`
  const last = useRef({ pathname: '', name })
  useEffect(() => {
    // The browser would move the page before its content is there.
    history.scrollRestoration = 'manual'
    const keep = () => keepPlace(last.current.name, { top: window.scrollY })
    window.addEventListener('scroll', keep, { passive: true })
    return () => window.removeEventListener('scroll', keep)
  }, [])
  useEffect(() => {
    const isOther = last.current.pathname !== pathname
    last.current = { pathname, name }
    // A search or a tab within the page leaves it where it is.
    if (!isOther) return
    const top = placeAt(name)?.top ?? 0
    window.scrollTo(0, top)
    if (top > 0 && page.current) return scrollWhenThere(page.current, top)
  }, [page, name, pathname])
}
