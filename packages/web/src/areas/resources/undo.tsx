// A change that was made, with the way back.

import { Button, Group, Text } from '@mantine/core'
import { commonTexts } from '../../common/dictionary.ts'
import { notify, notifyProblem, showNews } from '../../common/notify.ts'
import { resourceTexts } from '../../common/records/dictionary.ts'
import { textOf } from '../../i18n/dictionary.ts'

/** The milliseconds of an undo, long enough to notice a mistake. */
const undoMs = 12_000

/** The offers that are shown, by the path of their record. */
const offers = new Map<string, () => void>()

/**
 * Withdraws an undo of a record that has changed since: the former state would be refused, or overwrite what came
 * later.
 */
export const withdrawUndo = (path: string): void => {
  offers.get(path)?.()
  offers.delete(path)
}

interface Undoable {
  /** The path of the record. */
  readonly path: string
  readonly message: string
  readonly undo: () => Promise<unknown>
}

/** Takes the place of an earlier offer for the same record. */
export const offerUndo = ({ path, message, undo }: Undoable): void => {
  withdrawUndo(path)
  const hide = showNews({
    autoClose: undoMs,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" miw={0}>
          {message}
        </Text>
        <Button
          size="compact-sm"
          variant="light"
          style={{ flexShrink: 0 }}
          onClick={() => {
            withdrawUndo(path)
            undo()
              .then(() => notify(textOf(resourceTexts)('undone')))
              .catch(notifyProblem)
          }}
        >
          {textOf(commonTexts)('undo')}
        </Button>
      </Group>
    ),
  })
  offers.set(path, hide)
}
