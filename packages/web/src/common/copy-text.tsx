import { Button } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useText } from '../i18n/dictionary.ts'
import { commonTexts } from './dictionary.ts'

/** A button that copies a text. */
export const CopyText = ({ text }: { readonly text: string }) => {
  const t = useText(commonTexts)
  const { copy, copied } = useClipboard()
  const Icon = copied ? IconCheck : IconCopy
  return (
    <Button size="compact-sm" variant="default" leftSection={<Icon size={14} aria-hidden />} onClick={() => copy(text)}>
      {t(copied ? 'copied' : 'copy')}
    </Button>
  )
}
