import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useText } from '../../i18n/dictionary.ts'
import { managementTexts } from './dictionary.ts'

const portion = 100

/** The beginning of a long list that is at hand, and a button for more of it. */
export const usePortion = <T,>(rows: readonly T[]): { readonly shown: readonly T[]; readonly more: ReactNode } => {
  const t = useText(managementTexts)
  const [count, setCount] = useState(portion)
  const more = rows.length > count && (
    <Button variant="default" mt="sm" onClick={() => setCount(count + portion)}>
      {t('showMore')}
    </Button>
  )
  return { shown: rows.slice(0, count), more }
}
