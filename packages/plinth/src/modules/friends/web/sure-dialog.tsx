import { Button, Group, Stack, Text } from '@mantine/core'
import { AsyncButton, commonTexts, Dialog, useTexts } from '@plinth/web'
import { friendsTexts } from './dictionary.ts'

type Grave = 'remove' | 'block'

interface SureDialogProps {
  /** The question; null when nothing is asked. */
  readonly asking: Grave | null
  readonly name: string
  readonly onClose: () => void
  /** The menu item that opened the dialog is gone, so the focus must move elsewhere. */
  readonly onClosed: () => void
  readonly onSure: (act: Grave) => Promise<void>
}

/** Asks before what the other side will notice. */
export const SureDialog = ({ asking, name, onClose, onClosed, onSure }: SureDialogProps) => {
  const t = useTexts(friendsTexts)
  const common = useTexts(commonTexts)
  const act = asking ?? 'remove'
  return (
    <Dialog
      opened={asking !== null}
      onClose={onClose}
      onExitTransitionEnd={onClosed}
      returnFocus={false}
      title={t(act === 'block' ? 'blockQuestion' : 'removeQuestion', { name })}
    >
      <Stack>
        <Text size="sm">{t(act === 'block' ? 'blockText' : 'removeText', { name })}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {common('cancel')}
          </Button>
          <AsyncButton color="red" onPress={() => onSure(act).then(onClose)}>
            {t(act)}
          </AsyncButton>
        </Group>
      </Stack>
    </Dialog>
  )
}
