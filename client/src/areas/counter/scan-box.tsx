// The one box: whatever is scanned or typed goes here, and it is empty again at once.

import { ActionIcon, Kbd, Loader, TextInput } from '@mantine/core'
import { IconBarcode, IconCornerDownLeft } from '@tabler/icons-react'
import { type FormEvent, type KeyboardEvent, type RefObject, useEffect, useState } from 'react'
import { useText } from '../../i18n/dictionary.ts'
import classes from './counter.module.css'
import { counterTexts } from './dictionary.ts'

interface ScanBoxProps {
  readonly box: RefObject<HTMLInputElement | null>
  readonly label: string
  readonly hint: string
  readonly isBusy: boolean
  readonly onScan: (text: string) => void
  readonly onHelp: () => void
  /** Up, in the empty box. */
  readonly onUp?: () => void
}

/** Nothing has the focus, or only the page as a whole. */
const isNowhere = (target: EventTarget | null): boolean =>
  target === document.body || (target instanceof HTMLElement && target.id === 'main')

/** A scanner types without looking where the focus is. */
const useTypingInto = (box: RefObject<HTMLInputElement | null>) => {
  useEffect(() => {
    // After the shell, which gives the focus to a new page as a whole.
    const timer = setTimeout(() => box.current?.focus())
    const catchKeys = ({ key, target, ctrlKey, metaKey, altKey }: globalThis.KeyboardEvent) => {
      if (key.length === 1 && !ctrlKey && !metaKey && !altKey && isNowhere(target)) box.current?.focus()
    }
    window.addEventListener('keydown', catchKeys)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('keydown', catchKeys)
    }
  }, [box])
}

export const ScanBox = ({ box, label, hint, isBusy, onScan, onHelp, onUp }: ScanBoxProps) => {
  const t = useText(counterTexts)
  const [text, setText] = useState('')
  useTypingInto(box)
  const take = (event: FormEvent) => {
    event.preventDefault()
    onScan(text)
    setText('')
    box.current?.focus()
  }
  const write = (written: string) => {
    if (written === '?') onHelp()
    else setText(written)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setText('')
    if (event.key !== 'ArrowUp' || text !== '' || !onUp) return
    event.preventDefault()
    onUp()
  }
  return (
    <form onSubmit={take} className={classes.scan}>
      <TextInput
        ref={box}
        label={label}
        description={hint}
        inputWrapperOrder={['label', 'input', 'description']}
        size="lg"
        classNames={{ label: classes.scanLabel, description: classes.scanHint }}
        value={text}
        onChange={event => write(event.currentTarget.value)}
        onKeyDown={press}
        leftSection={<IconBarcode size={24} aria-hidden />}
        rightSection={isBusy ? <Loader size="xs" aria-hidden /> : <Kbd visibleFrom="sm">F2</Kbd>}
        rightSectionWidth={52}
        autoComplete="off"
        autoCorrect="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="go"
        maxLength={255}
      />
      <ActionIcon type="submit" size={50} variant="light" aria-label={t('take')} title={t('take')}>
        <IconCornerDownLeft size={24} aria-hidden />
      </ActionIcon>
    </form>
  )
}
