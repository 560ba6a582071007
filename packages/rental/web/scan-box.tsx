// The one box: whatever is scanned or typed goes here, and it is empty again at once.

import { ActionIcon, Kbd, Loader, TextInput } from '@mantine/core'
import { useTexts } from '@plinth/web'
import { IconBarcode, IconCornerDownLeft } from '@tabler/icons-react'
import type { FormEvent, KeyboardEvent } from 'react'
import classes from './counter.module.css'
import { counterTexts } from './dictionary.ts'
import type { ScanField } from './scan-keys.ts'

interface ScanBoxProps {
  readonly field: ScanField
  readonly label: string
  readonly hint: string
  readonly isBusy: boolean
  readonly onScan: (text: string) => void
  readonly onHelp: () => void
  /** Is called for the key Up in the empty box. */
  readonly onUp?: () => void
  /** Down, in the empty box. */
  readonly onDown?: () => void
}

export const ScanBox = ({ field, label, hint, isBusy, onScan, onHelp, onUp, onDown }: ScanBoxProps) => {
  const t = useTexts(counterTexts)
  const { text, setText } = field
  const take = (event: FormEvent) => {
    event.preventDefault()
    onScan(text)
    setText('')
    field.focus()
  }
  const write = (written: string) => {
    if (written === '?') onHelp()
    else setText(written)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setText('')
    const move = { ArrowUp: onUp, ArrowDown: onDown }[event.key]
    if (!move || text !== '') return
    event.preventDefault()
    move()
  }
  return (
    <form onSubmit={take} className={classes.scan}>
      <TextInput
        ref={field.input}
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
