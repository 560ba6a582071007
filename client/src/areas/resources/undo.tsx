// A change that was made, with the way back.

import { Button, Group, Text } from '@mantine/core'
import { commonTexts } from '../../common/dictionary.ts'
import { notify, notifyProblem, showNews } from '../../common/notify.ts'
import { textOf } from '../../i18n/dictionary.ts'
import { resourceTexts } from './dictionary.ts'

/** Long enough to notice a mistake. */
const undoMs = 12_000

export const offerUndo = (message: string, undo: () => Promise<unknown>): void => {
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
            hide()
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
}
