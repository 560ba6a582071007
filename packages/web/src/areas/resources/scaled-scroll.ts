// Browsers cannot draw an element that is tens of millions of pixels high: beyond a limit the bar stands for the list in a
// smaller scale, while small movements stay exact.

/** Firefox stops at about 17.8 million pixels, Chromium at 33.5. */
export const tallest = 10_000_000

export interface ScaledPosition {
  /** The position of the scrolled element. */
  readonly scroll: number
  /** The position in the whole list. */
  readonly top: number
  readonly view: number
}

export interface Extent {
  readonly count: number
  readonly rowHeight: number
}

export const fullHeight = ({ count, rowHeight }: Extent): number => count * rowHeight

/** The place after the bar was moved: near by exactly, far away in proportion. */
export const placeAfter = (before: ScaledPosition, scroll: number, extent: Extent): ScaledPosition => {
  const { view } = before
  const full = fullHeight(extent)
  if (full <= tallest) return { scroll, top: scroll, view }
  const [reach, most] = [tallest - view, full - view]
  const step = scroll - before.scroll
  const isNear = Math.abs(step) < view && scroll > 0 && scroll < reach
  const top = isNear ? before.top + step : (scroll / reach) * most
  return { scroll, top: Math.min(Math.max(top, 0), most), view }
}

/** Returns the position of the bar after small movements have led it astray. */
export const trueScroll = ({ top, scroll, view }: ScaledPosition, extent: Extent): number => {
  const full = fullHeight(extent)
  return full <= tallest ? scroll : Math.round((top / (full - view)) * (tallest - view))
}
