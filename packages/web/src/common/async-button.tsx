import { Button, type ButtonProps } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { useKeptFocus } from './kept-focus.ts'
import { notifyProblem } from './notify.ts'

interface AsyncButtonProps extends ButtonProps {
  readonly onPress: () => Promise<unknown>
  /** Is called with a problem; by default a notification shows it. */
  readonly onProblem?: (error: unknown) => void
  readonly children: ReactNode
  readonly 'aria-label'?: string
}

/** A button whose work takes a while: until it is done, further presses do nothing. */
export const AsyncButton = ({ onPress, onProblem = notifyProblem, children, ...button }: AsyncButtonProps) => {
  const [running, setRunning] = useState(false)
  const kept = useKeptFocus(running)
  // State arrives with the next drawing; a second press may come before.
  const isRunning = useRef(false)
  const press = async () => {
    if (isRunning.current) return
    isRunning.current = true
    setRunning(true)
    try {
      await onPress()
    } catch (error) {
      onProblem(error)
    } finally {
      isRunning.current = false
      setRunning(false)
    }
  }
  return (
    <Button {...button} ref={kept} loading={running} onClick={() => void press()}>
      {children}
    </Button>
  )
}
