import { Button, Center } from '@mantine/core'
import { commonTexts, useTexts } from '@plinth/web'
import { type ReactNode, useState } from 'react'

const portion = 100

/** The beginning of a long list that is at hand, and a button for more of it. */
export const usePortion = <T,>(rows: readonly T[]): { readonly portion: readonly T[]; readonly more: ReactNode } => {
  const t = useTexts(commonTexts)
  const [count, setCount] = useState(portion)
  const more = rows.length > count && (
    <Center p="sm">
      <Button variant="default" onClick={() => setCount(count + portion)}>
        {t('showMore')}
      </Button>
    </Center>
  )
  return { portion: rows.slice(0, count), more }
}
