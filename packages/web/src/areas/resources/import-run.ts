// The import under way, or the last one, of each resource. It goes on while the user visits other pages, and is there when they come back.

import { useSyncExternalStore } from 'react'
import { notify } from '../../common/notify.ts'
import { endWork, noteWork, onWorkForgotten } from '../../common/work.ts'
import { type TextOf, textOf } from '../../i18n/dictionary.ts'
import { type ImportOptions, type ImportProgress, type ImportResult, runImport } from './import.ts'
import { importTexts } from './import-dictionary.ts'

export interface ImportRun {
  readonly kind: 'check' | 'import'
  readonly fileName: string
  readonly allOrNothing: boolean
  readonly state: 'running' | 'done' | 'failed' | 'cancelled'
  readonly progress: ImportProgress | null
  readonly result: ImportResult | null
  readonly error: unknown
  readonly cancel: () => void
}

let runs: ReadonlyMap<string, ImportRun> = new Map()
const watchers = new Set<() => void>()

const set = (resource: string, run: ImportRun | null): void => {
  const others = [...runs].filter(([name]) => name !== resource)
  runs = new Map(run ? [...others, [resource, run]] : others)
  for (const watcher of watchers) watcher()
}

const watch = (watcher: () => void): (() => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

export const useImportRun = (resource: string): ImportRun | null =>
  useSyncExternalStore(watch, () => runs.get(resource) ?? null)

onWorkForgotten(() => {
  runs = new Map()
  for (const watcher of watchers) watcher()
})

/** The last result is of no interest any more. */
export const forgetImport = (resource: string): void => {
  if (runs.get(resource)?.state !== 'running') set(resource, null)
}

type ImportText = TextOf<keyof typeof importTexts.texts.en>

export const progressText = (t: ImportText, { progress }: Pick<ImportRun, 'progress'>): string => {
  if (!progress || progress.rows === 0) return t('starting')
  const { step, rows, of } = progress
  const key = step === 'check' ? 'checkedRows' : 'importedRows'
  return of === null ? t(key, { count: rows }) : t(`${key}Of`, { count: rows, of })
}

interface Start {
  readonly kind: ImportRun['kind']
  /** The title of the resource. */
  readonly title: string
  /** Is called when records may have been written. */
  readonly onWritten: () => void
}

/** One import of a resource at a time. */
export const startImport = async (options: ImportOptions, { kind, title, onWritten }: Start): Promise<void> => {
  const { resource, file, allOrNothing } = options
  if (runs.get(resource)?.state === 'running') return
  const controller = new AbortController()
  const cancel = (): void => controller.abort()
  let run: ImportRun = {
    ...{ kind, fileName: file.name, allOrNothing, cancel },
    ...{ state: 'running', progress: null, result: null, error: null },
  }
  const update = (change: Partial<ImportRun>): void => {
    const isForgotten = controller.signal.aborted && !runs.has(resource)
    if (isForgotten) return
    run = { ...run, ...change }
    set(resource, run)
    const t = textOf(importTexts)
    const page = `/resources/${resource}/import`
    if (run.state === 'running')
      noteWork(resource, { title: t(`${kind}Of`, { title }), status: progressText(t, run), page, cancel })
    else endWork(resource)
  }
  update({})
  try {
    const result = await runImport(options, {
      ...{ dryRun: kind === 'check', signal: controller.signal },
      onProgress: progress => update({ progress }),
    })
    update({ state: 'done', result })
    if (location.pathname !== `/client/resources/${resource}/import`)
      notify(textOf(importTexts)(kind === 'check' ? 'checkDone' : 'importDone', { title }))
  } catch (error) {
    update(controller.signal.aborted ? { state: 'cancelled' } : { state: 'failed', error })
  } finally {
    if (kind === 'import') onWritten()
  }
}
