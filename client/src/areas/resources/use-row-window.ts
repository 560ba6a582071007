// Which rows of a very long list are in sight. Browsers cannot draw an element that is tens of millions of pixels high, so
// beyond a limit the bar stands for the list in a smaller scale, while small movements stay exact.

import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'

/** Firefox stops at about 17.8 million pixels, Chromium at 33.5. */
const tallest = 10_000_000

export interface RowWindow {
  readonly first: number
  readonly last: number
  /** Of the element that is scrolled. */
  readonly height: number
  /** Where the first row stands in it. */
  readonly offset: number
  readonly onScroll: () => void
}

interface Place {
  /** Of the scrolled element. */
  readonly scroll: number
  /** In the whole list. */
  readonly top: number
  readonly view: number
}

export interface Extent {
  readonly count: number
  readonly rowHeight: number
}

const fullHeight = ({ count, rowHeight }: Extent): number => count * rowHeight

/** The place after the bar was moved: near by exactly, far away in proportion. */
export const placeAfter = (before: Place, scroll: number, extent: Extent): Place => {
  const { view } = before
  const full = fullHeight(extent)
  if (full <= tallest) return { scroll, top: scroll, view }
  const [reach, most] = [tallest - view, full - view]
  const step = scroll - before.scroll
  const isNear = Math.abs(step) < view && scroll > 0 && scroll < reach
  const top = isNear ? before.top + step : (scroll / reach) * most
  return { scroll, top: Math.min(Math.max(top, 0), most), view }
}

/** Where the bar belongs after small movements have led it astray. */
export const trueScroll = ({ top, scroll, view }: Place, extent: Extent): number => {
  const full = fullHeight(extent)
  return full <= tallest ? scroll : Math.round((top / (full - view)) * (tallest - view))
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
