// The last thing that happened, in one line below the box, heard as well as seen.

import { Alert, Box, Button, Text } from '@mantine/core'
import { commonTexts, useTexts } from '@plinth/web'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { beep } from './beep.ts'

export interface Notice {
  readonly isWarning: boolean
  readonly text: string
  readonly undo: (() => void) | null
  /** The same words twice are news twice. */
  readonly at: number
}

export interface Notices {
  readonly inform: (text: string, undo?: () => void) => void
  readonly warn: (text: string) => void
}

export const useNotice = (): Notices & { readonly notice: Notice | null } => {
  const [notice, setNotice] = useState<Notice | null>(null)
  const show = (isWarning: boolean, text: string, undo: (() => void) | null) =>
    setNotice(before => ({ isWarning, text, undo, at: (before?.at ?? 0) + 1 }))
  return {
    notice,
    inform: (text, undo) => show(false, text, undo ?? null),
    warn: text => {
      beep()
      show(true, text, null)
    },
  }
}

export const NoticeLine = ({ notice }: { readonly notice: Notice | null }) => {
  const t = useTexts(commonTexts)
  return (
    <Box mih={28} mt={6}>
      <div role="alert">
        {notice?.isWarning && (
          <Alert key={notice.at} color="red" py={6} icon={<IconAlertTriangle aria-hidden size={18} />}>
            {notice.text}
          </Alert>
        )}
      </div>
      <div role="status">
        {notice && !notice.isWarning && (
          <Text key={notice.at} size="sm" c="dimmed" component="span">
            {notice.text}
          </Text>
        )}
      </div>
      {notice?.undo && (
        <Button size="compact-xs" variant="light" onClick={notice.undo}>
          {t('undo')}
        </Button>
      )}
    </Box>
  )
}
