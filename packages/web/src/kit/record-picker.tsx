// An input that finds a record of a resource by its name.

import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { RecordData } from './define-web.ts'

/** What the input takes. */
export interface RecordPickerProps {
  readonly resource: string
  /** The field by which records are known. */
  readonly labelField: string
  readonly label: string
  readonly value: RecordData | null
  readonly onChange: (record: RecordData | null) => void
  readonly required?: boolean
  readonly error?: string
}

const Lookup = lazy(async () => ({ default: (await import('../common/records/lookup.tsx')).LookupOne }))

/** Finds records while the user types. */
export const RecordPicker = ({ resource, labelField, ...input }: RecordPickerProps) => (
  <Suspense fallback={<Skeleton height={60} />}>
    <Lookup {...input} relation={{ resource, kind: 'one', label: labelField }} />
  </Suspense>
)
