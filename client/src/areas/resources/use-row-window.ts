// Which rows of a list of any length are in sight.

import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { type Extent, fullHeight, type Place, placeAfter, tallest, trueScroll } from './scaled-scroll.ts'

export interface RowWindow {
  readonly first: number
  readonly last: number
  /** Of the element that is scrolled. */
  readonly height: number
  /** Where the first row stands in it. */
  readonly offset: number
  readonly onScroll: () => void
}

const beyond = 8

export const useRowWindow = (viewport: RefObject<HTMLElement | null>, extent: Extent): RowWindow => {
  const [place, setPlace] = useState<Place>({ scroll: 0, top: 0, view: 600 })
  const settling = useRef<ReturnType<typeof setTimeout> | null>(null)
  const onScroll = useCallback(() => {
    const element = viewport.current
    if (!element) return
    setPlace(before => placeAfter({ ...before, view: element.clientHeight }, element.scrollTop, extent))
    if (settling.current) clearTimeout(settling.current)
    settling.current = setTimeout(() => {
      setPlace(before => {
        const scroll = trueScroll(before, extent)
        if (scroll === before.scroll) return before
        element.scrollTop = scroll
        return { ...before, scroll }
      })
    }, 200)
  }, [viewport, extent])
  useLayoutEffect(() => {
    const element = viewport.current
    if (!element) return
    const measure = () => setPlace(before => ({ ...before, view: element.clientHeight }))
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [viewport])
  const { count, rowHeight } = extent
  const first = Math.max(0, Math.floor(place.top / rowHeight) - beyond)
  const last = Math.min(count - 1, Math.ceil((place.top + place.view) / rowHeight) + beyond)
  return {
    first,
    last,
    height: Math.min(fullHeight(extent), tallest),
    offset: place.scroll - (place.top - first * rowHeight),
    onScroll,
  }
}
