import { TextInput, type TextInputProps } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'

interface DebouncedInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  readonly value: string
  /** Is called when the user has stopped typing for a moment. */
  readonly onSettle: (value: string) => void
}

export const DebouncedInput = ({ value, onSettle, ...input }: DebouncedInputProps) => {
  const [typed, setTyped] = useState(value)
  const [known, setKnown] = useState(value)
  // Changed from outside, such as by a button that clears the search.
  if (value !== known) {
    setKnown(value)
    setTyped(value)
  }
  const settle = useEffectEvent((text: string) => {
    setKnown(text)
    onSettle(text)
  })
  useEffect(() => {
    if (typed === known) return
    const timer = setTimeout(() => settle(typed), 300)
    return () => clearTimeout(timer)
  }, [typed, known])
  return <TextInput {...input} value={typed} onChange={event => setTyped(event.currentTarget.value)} />
}
