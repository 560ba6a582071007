// Every widget by the name that the service gives it. A field type of its own brings a record in a file of this folder, and its
// name in this list.

import { checkbox, select } from './choice.tsx'
import { json, map, tags, vector } from './collection.tsx'
import { duration } from './duration.tsx'
import { file, files } from './file.tsx'
import { geo } from './geo.tsx'
import { money, number } from './number.tsx'
import { lookup, lookups } from './related.tsx'
import { structure, structures } from './structure.tsx'
import { email, password, phone, text, textarea, url } from './text.tsx'
import { date, datetime } from './time.tsx'
import type { Widget } from './widget.ts'

export const widgets = {
  checkbox,
  date,
  datetime,
  file,
  files,
  // An image is shown as files are: by its preview.
  image: file,
  images: files,
  duration,
  email,
  geo,
  json,
  lookup,
  lookups,
  map,
  money,
  number,
  password,
  phone,
  select,
  structure,
  structures,
  tags,
  text,
  textarea,
  url,
  vector,
} as const satisfies Readonly<Record<string, Widget>>

/** What the service calls the kinds of fields. */
export type WidgetType = keyof typeof widgets
