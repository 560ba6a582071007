// A button that waits is disabled, and browsers take the focus away from what is disabled.

import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/** Gives the focus back when the work is done, unless it has moved elsewhere. */
export const useKeptFocus = (isBusy: boolean): RefObject<HTMLButtonElement | null> => {
  const button = useRef<HTMLButtonElement>(null)
  const wasTaken = useRef(false)
  // Not by React, which hears of nothing that happens while it changes the page.
  useEffect(() => {
    const { current: node } = button
    const note = () => {
      wasTaken.current = node?.disabled ?? false
    }
    node?.addEventListener('blur', note)
    return () => node?.removeEventListener('blur', note)
  }, [])
  useLayoutEffect(() => {
    if (isBusy || !wasTaken.current) return
    wasTaken.current = false
    if (document.activeElement === document.body) button.current?.focus()
  }, [isBusy])
  return button
}
