// CHANGELOG.md: one section for each release, with its date, the newest first.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ChangeNote, kinds } from './changes.ts'

const fileIn = (root: string): string => join(root, 'CHANGELOG.md')

const readChangelog = (root: string): string => readFileSync(fileIn(root), 'utf8').replaceAll('\r\n', '\n')

/** The first line of a text becomes an item of a list, and the others its continuation. */
const toItem = ({ breaking, text }: ChangeNote): string =>
  `- ${breaking ? '**Breaking:** ' : ''}${text.split('\n').join('\n  ')}`.replace(/[ ]+$/gm, '')

const toTitle = (kind: string): string => kind[0]?.toUpperCase() + kind.slice(1)

const toSection = (heading: string, changes: readonly ChangeNote[]): string => {
  const parts = kinds
    .map(kind => ({ kind, items: changes.filter(change => change.kind === kind).map(toItem) }))
    .filter(({ items }) => items.length > 0)
    .map(({ kind, items }) => `### ${toTitle(kind)}\n\n${items.join('\n')}\n`)
  return [`${heading}\n`, ...parts].join('\n')
}

interface Release {
  readonly version: string
  /** The date as `2026-01-31`. */
  readonly date: string
  readonly changes: readonly ChangeNote[]
}

/** Puts the section of a release above those of earlier releases. */
export const addRelease = (root: string, { version, date, changes }: Release): void => {
  const text = readChangelog(root)
  const at = text.search(/^## /m)
  const section = toSection(`## ${version} - ${date}`, changes)
  writeFileSync(fileIn(root), at < 0 ? `${text}\n${section}` : `${text.slice(0, at)}${section}\n${text.slice(at)}`)
}

export interface ReleaseNotes {
  readonly date: string
  readonly text: string
}

/** What the changelog says of a release; null for a version without a section. */
export const readNotes = (root: string, version: string): ReleaseNotes | null => {
  const sections = readChangelog(root).split(/^## /m).slice(1)
  const found = sections.find(section => section.startsWith(`${version} - `))
  const [, date, text] = /^\S+ - (\d{4}-\d{2}-\d{2})\n(.*)$/s.exec(found ?? '') ?? []
  return date === undefined || text === undefined ? null : { date, text: text.trim() }
}
