// The bundler looks for changed files from time to time, which can take two seconds. The system reports changes at once, but only in folders
// that are known: so this comes beside the bundler's own watching.

import { existsSync, type FSWatcher, watch } from 'node:fs'
import { dirname, resolve, sep } from 'node:path'
import type { Metafile, Plugin } from 'esbuild'

/** An editor writes a file in several steps. */
const settleMs = 20

const isOfPackage = (path: string): boolean => path.split(sep).includes('node_modules')

/** The folders of the sources. Inputs that are no files have folders that do not exist. */
const foldersOf = ({ inputs }: Metafile): ReadonlySet<string> =>
  new Set(
    Object.keys(inputs)
      .map(path => dirname(resolve(path)))
      .filter(folder => !isOfPackage(folder) && existsSync(folder)),
  )

/** Builds again when a file changes in a folder of the sources of the last build that succeeded. The build needs a metafile. */
export class QuickRebuilds {
  readonly #watchers = new Map<string, FSWatcher>()
  #rebuild: () => Promise<unknown> = async () => {}
  #timer: NodeJS.Timeout | undefined
  #isBuilding = false
  #isOutdated = false
  #isStopped = false

  readonly plugin: Plugin = {
    name: 'quick-rebuilds',
    setup: ({ onEnd }) =>
      onEnd(({ metafile }) => {
        if (metafile && !this.#isStopped) this.#watch(foldersOf(metafile))
      }),
  }

  /** `rebuild` may fail: other plugins report why. */
  begin(rebuild: () => Promise<unknown>): void {
    this.#rebuild = rebuild
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
    this.#watch(new Set())
  }

  #watch(folders: ReadonlySet<string>): void {
    for (const [folder, watcher] of this.#watchers) {
      if (folders.has(folder)) continue
      watcher.close()
      this.#watchers.delete(folder)
    }
    for (const folder of folders) {
      if (this.#watchers.has(folder)) continue
      try {
        const watcher = watch(folder, () => this.#plan())
        watcher.on('error', () => watcher.close())
        this.#watchers.set(folder, watcher)
      } catch {
        // The system watches no more folders: the bundler notices the change somewhat later.
      }
    }
  }

  #plan(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#build(), settleMs)
  }

  async #build(): Promise<void> {
    if (this.#isBuilding) {
      this.#isOutdated = true
      return
    }
    this.#isBuilding = true
    await this.#rebuild().catch(() => {})
    this.#isBuilding = false
    if (!this.#isOutdated) return
    this.#isOutdated = false
    await this.#build()
  }
}
