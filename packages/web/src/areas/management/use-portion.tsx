import { type ReactNode, useState } from 'react'
import { ShowMore } from '../../common/show-more.tsx'

const portion = 100

/** The beginning of a long list that is at hand, and a button for more of it. */
export const usePortion = <T,>(rows: readonly T[]): { readonly portion: readonly T[]; readonly more: ReactNode } => {
  const [count, setCount] = useState(portion)
  const more = rows.length > count && <ShowMore onMore={() => setCount(count + portion)} />
  return { portion: rows.slice(0, count), more }
}
