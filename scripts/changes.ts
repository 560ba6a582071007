// Changes that are not released yet: one small file for each in the folder `changes`, so that two branches do not write to the same
// place. A release moves their texts into CHANGELOG.md.

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ScriptError } from './command.ts'

/** The sections of a release, in their order. */
export const kinds = ['added', 'changed', 'deprecated', 'removed', 'fixed', 'security'] as const

export type Kind = (typeof kinds)[number]

export interface ChangeNote {
  readonly kind: Kind
  /** Users have to change something, too: the text says what. */
  readonly breaking: boolean
  readonly text: string
}

const folderIn = (root: string): string => join(root, 'changes')

export const isKind = (text: string): text is Kind => kinds.some(kind => kind === text)

const readChange = (folder: string, name: string): ChangeNote => {
  const text = readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n')
  const [, head = '', body = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? []
  const values = new Map(head.split('\n').map(line => [line.split(':')[0] ?? '', line.split(':')[1]?.trim() ?? '']))
  const kind = values.get('kind') ?? ''
  const breaking = values.get('breaking') ?? 'false'
  const unknown = [...values.keys()].find(key => !['kind', 'breaking'].includes(key))
  if (!isKind(kind)) throw new ScriptError(`changes/${name}: \`kind\` is not one of ${kinds.join(', ')}.`)
  if (unknown !== undefined)
    throw new ScriptError(`changes/${name}: '${unknown}' is neither \`kind\` nor \`breaking\`.`)
  if (!['true', 'false'].includes(breaking)) throw new ScriptError(`changes/${name}: \`breaking\` is true or false.`)
  if (body.trim() === '') throw new ScriptError(`changes/${name} says nothing.`)
  return { kind, breaking: breaking === 'true', text: body.trim() }
}

const fileNames = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter(name => name.endsWith('.md') && name !== 'README.md')
    .sort()

/** `root` is the folder of the repository, here and below. */
export const readChanges = (root: string): readonly ChangeNote[] => {
  const folder = folderIn(root)
  return fileNames(folder).map(name => readChange(folder, name))
}

export const removeChanges = (root: string): void => {
  const folder = folderIn(root)
  for (const name of fileNames(folder)) rmSync(join(folder, name))
}

/** A file name from the first words of the text, which nothing else has. */
const nameFor = (folder: string, text: string): string => {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? ['change']
  const name = words.slice(0, 6).join('-')
  const taken = (at: number): boolean => existsSync(join(folder, `${at === 1 ? name : `${name}-${at}`}.md`))
  let at = 1
  while (taken(at)) at += 1
  return `${at === 1 ? name : `${name}-${at}`}.md`
}

/** Gives the path of the file. */
export const writeChange = (root: string, { kind, breaking, text }: ChangeNote): string => {
  const folder = folderIn(root)
  const name = nameFor(folder, text)
  const head = [`kind: ${kind}`, ...(breaking ? ['breaking: true'] : [])].join('\n')
  writeFileSync(join(folder, name), `---\n${head}\n---\n\n${text.trim()}\n`)
  return join('changes', name)
}
