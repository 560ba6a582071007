// What was typed and not saved outlives a reload and a detour, in this tab.

import { useEffect, useState } from 'react'
import type { FormValues } from './form-values.ts'
import { isSame } from './form-values.ts'
import type { MemberUse } from './schema.ts'

export interface Draft {
  readonly values: FormValues
  readonly change: (values: FormValues) => void
  /** Were unsaved changes found? */
  readonly isRestored: boolean
  readonly discard: () => void
}

const read = (key: string): FormValues | null => {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

export const forgetDraft = (key: string): void => sessionStorage.removeItem(key)

export const draftKey = (resource: string, pk: string | null): string => `plinth.draft.${resource}.${pk ?? ''}`

export const useDraft = (key: string, initial: FormValues, members: readonly MemberUse[]): Draft => {
  const [kept] = useState(() => read(key))
  const [values, setValues] = useState<FormValues>(() => ({ ...initial, ...kept }))
  const [isRestored, setIsRestored] = useState(kept !== null)
  useEffect(() => {
    // Secrets are kept nowhere.
    const secrets = new Set(members.filter(({ writeOnly }) => writeOnly).map(({ name }) => name))
    const open = Object.fromEntries(Object.entries(values).filter(([name]) => !secrets.has(name)))
    if (Object.entries(open).every(([name, value]) => isSame(value, initial[name]))) forgetDraft(key)
    else sessionStorage.setItem(key, JSON.stringify(open))
  }, [key, values, initial, members])
  return {
    values,
    change: setValues,
    isRestored,
    discard: () => {
      forgetDraft(key)
      setValues(initial)
      setIsRestored(false)
    },
  }
}
