// A scanner is a keyboard that does not look where the focus is: it types a code, then presses Enter.

import { type RefObject, useEffect, useRef, useState } from 'react'

/** The box that scans go to. */
export interface ScanField {
  readonly input: RefObject<HTMLInputElement | null>
  readonly text: string
  readonly setText: (text: string) => void
  readonly focus: () => void
  /** Takes over the beginning of a scan that was typed elsewhere; the rest follows by itself. */
  readonly takeOver: (text: string) => void
}

export const useScanField = (): ScanField => {
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const focus = () => input.current?.focus()
  const takeOver = (start: string) => {
    setText(start)
    focus()
  }
  useTypingInto(input)
  return { input, text, setText, focus, takeOver }
}

/** Typing on anything that takes no text goes to the box, so that the Enter after it goes there too. */
const useTypingInto = (input: RefObject<HTMLInputElement | null>): void => {
  useEffect(() => {
    // After the shell, which gives the focus to a new page as a whole.
    const timer = setTimeout(() => input.current?.focus())
    const redirect = (event: KeyboardEvent) => {
      if (isCharacter(event) && !wants(event) && !document.querySelector('[role="dialog"]')) input.current?.focus()
    }
    window.addEventListener('keydown', redirect)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('keydown', redirect)
    }
  }, [input])
}

/** Ignores a scan where there is no box, or a dialog lies over it: its Enter must not press the focused button. */
export const useScanGuard = (): void => {
  useEffect(() => {
    let isScanning = false
    const guard = (event: KeyboardEvent) => {
      if (isModifier(event)) return
      const goesNowhere = !wants(event)
      if (isScanning && goesNowhere && (event.key === 'Enter' || event.key === ' ')) event.preventDefault()
      isScanning = goesNowhere && (isCharacter(event) || (isScanning && event.key === ' '))
    }
    window.addEventListener('keydown', guard, { capture: true })
    return () => window.removeEventListener('keydown', guard, { capture: true })
  }, [])
}

/** The space bar presses buttons, and no code begins with a space. */
const isCharacter = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey

const isModifier = ({ key }: KeyboardEvent): boolean => ['Shift', 'Control', 'Alt', 'AltGraph', 'Meta'].includes(key)

const withoutText = new Set(['button', 'submit', 'reset', 'checkbox', 'radio', 'range', 'file', 'image', 'color'])

/** Does the focused element have a use for the key? A select finds its options by letters; no option begins with a digit. */
const wants = ({ target, key }: KeyboardEvent): boolean => {
  if (target instanceof HTMLInputElement) return !withoutText.has(target.type)
  if (target instanceof HTMLSelectElement) return !/^\d$/.test(key)
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLElement && target.isContentEditable)
}
