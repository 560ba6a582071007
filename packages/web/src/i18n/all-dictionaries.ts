// Every dictionary of the client, for the build.

import type { Dictionary } from './define-dictionary.ts'

const files = import.meta.glob<Record<string, unknown>>(['../**/*dictionary.ts', '!../i18n/*'], {
  eager: true,
})

const isDictionary = (exported: unknown): exported is Dictionary =>
  typeof exported === 'object' && exported !== null && 'texts' in exported

export const dictionaries: readonly Dictionary[] = Object.values(files).flatMap(file =>
  Object.values(file).filter(isDictionary),
)
