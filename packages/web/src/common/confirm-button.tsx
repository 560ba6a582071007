import { Button, type ButtonProps, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { useText } from '../i18n/dictionary.ts'
import { AsyncButton } from './async-button.tsx'
import { Dialog } from './dialog.tsx'
import { commonTexts } from './dictionary.ts'
import { ProblemAlert } from './problem-alert.tsx'

interface ConfirmButtonProps extends ButtonProps {
  /** What is asked. */
  readonly question: string
  readonly explanation?: ReactNode
  /** The word on the button that does it; by default the one on the button that asks. */
  readonly confirmLabel?: string
  readonly onConfirm: () => Promise<unknown>
  readonly children: ReactNode
  readonly 'aria-label'?: string
}

/** A button for what is not easily undone: it asks first, and shows in place why it did not work. */
export const ConfirmButton = (props: ConfirmButtonProps) => {
  const { question, explanation, confirmLabel, onConfirm, children, ...button } = props
  const t = useText(commonTexts)
  const [opened, { open, close }] = useDisclosure(false)
  const [error, setError] = useState<unknown>(null)
  const confirm = async () => {
    setError(null)
    await onConfirm()
    close()
  }
  return (
    <>
      <Button {...button} onClick={open}>
        {children}
      </Button>
      <Dialog opened={opened} onClose={close} title={question}>
        <Stack>
          {typeof explanation === 'string' ? <Text size="sm">{explanation}</Text> : explanation}
          <ProblemAlert error={error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              {t('cancel')}
            </Button>
            <AsyncButton color={button.color ?? 'red'} onPress={confirm} onProblem={setError}>
              {confirmLabel ?? children}
            </AsyncButton>
          </Group>
        </Stack>
      </Dialog>
    </>
  )
}
