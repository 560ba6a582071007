// A dialog whose focus begins where the work begins, rather than on the button that closes it.

import { Modal, type ModalProps } from '@mantine/core'
import { useEffect, useSyncExternalStore } from 'react'
import { useText } from '../i18n/dictionary.ts'
import { isSignInAsked, watchSignIn } from '../session/confirm-sign-in.ts'
import { commonTexts } from './dictionary.ts'

const inputs = 'input:not([type=hidden]), select, textarea, [contenteditable=true]'

/** Files are chosen by a button; the input beside it is not drawn. */
const isUsable = (element: Element): boolean => !element.matches(':disabled') && element.getClientRects().length > 0

/** The library moves the focus to what is marked. It does so later, when the content is there. */
const markStart = (content: HTMLElement | null): void => {
  if (!content || content.querySelector('[data-autofocus]')) return
  const start = [...content.querySelectorAll(inputs)].find(isUsable) ?? content.querySelector('button[type=submit]')
  start?.setAttribute('data-autofocus', 'true')
}

/** A dialog that is removed with its state leaves the focus nowhere; it goes back to what opened it. */
const useFocusReturned = (opened: boolean): void =>
  useEffect(() => {
    const opener = opened ? document.activeElement : null
    return () => {
      if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus()
    }
  }, [opened])

/**
 * A dialog in the middle of the page. The focus begins on what has `data-autofocus`, or else on the first input, or on the button that
 * submits; where something is lost for good, mark the button that cancels.
 *
 * @example
 * <Dialog opened={opened} onClose={close} title="New card">
 *   <TextForm fields={fields} submit="Create" onSubmit={create} onCancel={close} />
 * </Dialog>
 */
export const Dialog = ({ children, ...modal }: ModalProps) => {
  const t = useText(commonTexts)
  // The question of who is there stands above the dialog of the act that waits for it: Escape closes the question alone.
  const isCovered = useSyncExternalStore(watchSignIn, isSignInAsked)
  useFocusReturned(modal.opened)
  return (
    <Modal centered closeOnEscape={!isCovered} closeButtonProps={{ 'aria-label': t('close') }} {...modal}>
      <div ref={markStart}>{children}</div>
    </Modal>
  )
}
