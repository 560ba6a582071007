// Bundles the pages of modules under `plinth dev`, again each time a file of them changes. The service is not started again.

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BuildContext, BuildResult, Plugin } from 'esbuild'
import { pagesList } from '../app/pages/built-pages.ts'
import { pageBundleOptions } from '../app/pages/bundle-pages.ts'
import type { PageSource } from '../app/pages/page-sources.ts'
import { readSharedModules } from '../app/pages/shared-modules.ts'
import { loadBundler, toCommandError } from './bundler.ts'
import { QuickRebuilds } from './quick-rebuilds.ts'

export class PageWatcher {
  readonly #folder: string
  readonly #client: string
  #sources = '[]'
  #watching: BuildContext | undefined
  #rebuilds: QuickRebuilds | undefined
  #last: Promise<void> = Promise.resolve()

  /** `client` is the folder of the web client. */
  constructor(folder: string, client: string) {
    this.#folder = folder
    this.#client = client
  }

  /** Watches these instead of those before. */
  watch(sources: readonly PageSource[]): void {
    const text = JSON.stringify(sources)
    if (text === this.#sources) return
    this.#sources = text
    this.#last = this.#last.then(() => this.#replace(sources))
  }

  async stop(): Promise<void> {
    await this.#last
    await this.#end()
  }

  async #end(): Promise<void> {
    this.#rebuilds?.stop()
    await this.#watching?.dispose()
    this.#watching = undefined
  }

  async #replace(sources: readonly PageSource[]): Promise<void> {
    await this.#end()
    const shared = readSharedModules(this.#client)
    if (!shared) return console.error(`Pages of modules are missing: the web client is not built in ${this.#client}.`)
    const { context } = await loadBundler()
    const options = pageBundleOptions({ sources, shared, folder: this.#folder, isDevelopment: true })
    const rebuilds = new QuickRebuilds()
    const watching = await context({
      ...options,
      plugins: [...(options.plugins ?? []), this.#reporting(), rebuilds.plugin],
    })
    this.#watching = watching
    this.#rebuilds = rebuilds
    rebuilds.begin(() => watching.rebuild())
    await watching.watch()
  }

  /** A mistake is shown in the terminal and in the web client. */
  #reporting(): Plugin {
    const report = async ({ errors }: BuildResult): Promise<void> => {
      if (errors.length === 0) return
      const failure = await toCommandError(Object.assign(new Error('not built'), { errors }))
      const text = failure instanceof Error ? failure.message : String(failure)
      console.error(`${text}\nThe pages before are still shown.`)
      await mkdir(this.#folder, { recursive: true })
      await writeFile(join(this.#folder, pagesList), JSON.stringify({ error: text }))
    }
    return { name: 'report', setup: ({ onEnd }) => onEnd(report) }
  }
}
