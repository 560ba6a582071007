// What was typed and not saved outlives a reload and a detour, in this tab.

import { useEffect, useState } from 'react'
import { useSession } from '../../session/session.tsx'
import type { FormValues } from './form-values.ts'
import { isSame } from './form-values.ts'
import type { FieldWithWidget } from './widgets/widget.ts'

export interface RecordDraft {
  readonly values: FormValues
  readonly change: (values: FormValues) => void
  /** Were unsaved changes found? */
  readonly isRestored: boolean
  readonly discard: () => void
}

const read = (key: string | null): FormValues | null => {
  try {
    return key === null ? null : JSON.parse(sessionStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

export const forgetDraft = (key: string | null): void => {
  if (key !== null) sessionStorage.removeItem(key)
}

/**
 * Returns the key of a draft; without `pk`, of a new record. It stays the same while the form is open, also when the
 * session ends.
 */
export const useDraftKey = (resource: string, pk = ''): string => {
  const { user } = useSession()
  const [key] = useState(`plinth.draft.${user?.pk ?? ''}.${resource}.${pk}`)
  return key
}

/** Without a key, nothing outlives the form. */
export const useDraft = (key: string | null, initial: FormValues, fields: readonly FieldWithWidget[]): RecordDraft => {
  const [kept] = useState(() => read(key))
  const [values, setValues] = useState<FormValues>(() => ({ ...initial, ...kept }))
  const [isRestored, setIsRestored] = useState(kept !== null)
  useEffect(() => {
    // Secrets are kept nowhere. Fields that were not touched are left out: others may change them before the draft is restored.
    const secrets = new Set(fields.filter(({ writeOnly }) => writeOnly).map(({ name }) => name))
    const changed = Object.entries(values).filter(
      ([name, value]) => !secrets.has(name) && !isSame(value, initial[name]),
    )
    if (changed.length === 0) forgetDraft(key)
    else if (key !== null) sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(changed)))
  }, [key, values, initial, fields])
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
