// Which columns a person wants to see of a resource, kept in the browser.

import { useState } from 'react'
import { fieldsFor } from '../../common/records/schema.ts'
import type { Schema } from '../../common/records/ui-schema.ts'
import type { FieldWithWidget } from '../../common/records/widgets/widget.ts'

const keyOf = (schema: Schema): string => `plinth.columns.${schema.pathFragment}`

/** The number of columns that fit at first. */
const usual = 6

const read = (schema: Schema): readonly string[] | null => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(schema)) ?? 'null')
    return Array.isArray(kept) ? kept.filter(name => typeof name === 'string') : null
  } catch {
    return null
  }
}

export interface Columns {
  readonly all: readonly FieldWithWidget[]
  readonly visible: readonly FieldWithWidget[]
  readonly choose: (names: readonly string[]) => void
}

/** What the service suggests for lists, then everything else that it shows of a record. */
const candidates = (schema: Schema): readonly FieldWithWidget[] => {
  const listed = fieldsFor(schema, 'list')
  const names = new Set(listed.map(({ name }) => name))
  return [...listed, ...fieldsFor(schema, 'view').filter(({ name }) => !names.has(name))]
}

export const useColumns = (schema: Schema): Columns => {
  const all = candidates(schema)
  const [chosen, setChosen] = useState(() => read(schema))
  const selection =
    chosen ??
    fieldsFor(schema, 'list')
      .slice(0, usual)
      .map(({ name }) => name)
  const found = all.filter(({ name }) => selection.includes(name))
  return {
    all,
    // A resource without any columns still has its identifiers.
    visible: found.length > 0 ? found : all.slice(0, 1),
    choose: names => {
      localStorage.setItem(keyOf(schema), JSON.stringify(names))
      setChosen(names)
    },
  }
}
