// The keys of the counter: a list of them, and those that work everywhere on the page.

import { Kbd, Table, Text } from '@mantine/core'
import { Dialog, useTexts } from '@plinth/web'
import { useEffect, useEffectEvent } from 'react'
import { counterTexts } from './dictionary.ts'

const keys = [
  ['Enter', 'keyEnter'],
  ['* 5', 'keyDays'],
  ['−', 'keyMinus'],
  ['↑', 'keyUp'],
  ['↓', 'keyDown'],
  ['?', 'keyHelp'],
  ['F2', 'keyF2'],
  ['F4', 'keyF4'],
  ['F8', 'keyF8'],
  ['F9', 'keyF9'],
  ['Ctrl P', 'keyPrint'],
] as const

interface ShortcutsProps {
  readonly opened: boolean
  readonly onClose: () => void
}

export const Shortcuts = ({ opened, onClose }: ShortcutsProps) => {
  const t = useTexts(counterTexts)
  return (
    <Dialog opened={opened} onClose={onClose} title={t('keysTitle')}>
      <Table>
        <Table.Tbody>
          {keys.map(([key, says]) => (
            <Table.Tr key={key}>
              <Table.Th scope="row" w={90}>
                <Kbd>{key}</Kbd>
              </Table.Th>
              <Table.Td>{t(says)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="sm" c="dimmed" mt="sm">
        {t('keyTyping')}
      </Text>
    </Dialog>
  )
}

/** Function keys only: letters belong to the fields (WCAG 2.2, 2.1.4). */
export const useFunctionKeys = (acts: Readonly<Record<string, () => void>>): void => {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const act = acts[event.key]
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey
    if (!act || !isPlain || event.repeat || document.querySelector('[role="dialog"]')) return
    event.preventDefault()
    act()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
