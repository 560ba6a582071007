// Which rows of a list of any length are in sight.

import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { type Extent, fullHeight, placeAfter, type ScaledPosition, tallest, trueScroll } from './scaled-scroll.ts'

export interface RowWindow {
  readonly first: number
  readonly last: number
  /** The height of the element that is scrolled. */
  readonly height: number
  /** The place of the first row in it. */
  readonly offset: number
  readonly onScroll: () => void
}

interface Options extends Extent {
  /** The place to begin, in pixels of the whole list. */
  readonly startTop: number
  readonly onMove: (top: number) => void
}

const beyond = 8
/** The height until the element is measured. */
const usualView = 600

export const useRowWindow = (viewport: RefObject<HTMLElement | null>, options: Options): RowWindow => {
  const { count, rowHeight, startTop, onMove } = options
  const [place, setPlace] = useState<ScaledPosition>(() => {
    const start = { scroll: startTop, top: startTop, view: usualView }
    return { ...start, scroll: trueScroll(start, options) }
  })
  const begin = useRef(place.scroll)
  const settling = useRef<ReturnType<typeof setTimeout> | null>(null)
  const onScroll = useCallback(() => {
    const element = viewport.current
    if (!element) return
    const extent = { count, rowHeight }
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
  }, [viewport, count, rowHeight])
  useLayoutEffect(() => {
    const element = viewport.current
    if (!element) return
    element.scrollTop = begin.current
    const measure = () => setPlace(before => ({ ...before, view: element.clientHeight }))
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [viewport])
  useLayoutEffect(() => onMove(place.top), [place.top, onMove])
  const first = Math.max(0, Math.floor(place.top / rowHeight) - beyond)
  const last = Math.min(count - 1, Math.ceil((place.top + place.view) / rowHeight) + beyond)
  return {
    first,
    last,
    height: Math.min(fullHeight(options), tallest),
    offset: place.scroll - (place.top - first * rowHeight),
    onScroll,
  }
}
