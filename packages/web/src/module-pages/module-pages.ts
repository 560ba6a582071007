// What modules add to the web client: loaded before the first page is drawn, and again under `plinth dev` when it changes. A module
// that cannot be loaded takes no other with it.

import { useSyncExternalStore } from 'react'
import { application, type PagesAddresses } from '../application.ts'
import type { Web } from '../kit/define-web.ts'
import { reportError } from '../shell/report.ts'

/** What one module adds. */
export interface ModuleWeb extends Web {
  /** The name of the module. */
  readonly module: string
}

export interface ModulePages {
  readonly modules: readonly ModuleWeb[]
  /** The names of modules that could not be loaded. */
  readonly failed: readonly string[]
  /** Why the newest version could not be built, for developers. */
  readonly buildError?: string
  readonly styles: readonly string[]
}

let pages: ModulePages = { modules: [], failed: [], styles: [] }
const listeners = new Set<() => void>()

const change = (next: ModulePages): void => {
  pages = next
  for (const listener of listeners) listener()
}

interface ListedModule {
  readonly module: string
  readonly load: () => Promise<{ readonly default?: Web }>
}

const loadModule = async ({ module, load }: ListedModule): Promise<ModuleWeb | string> => {
  try {
    const { default: web } = await load()
    if (web === undefined) throw new Error(`The pages of the module ${module} have no default export: use defineWeb.`)
    return { module, ...web }
  } catch (error) {
    console.error(error)
    reportError(error)
    return module
  }
}

const load = async ({ entry, styles }: PagesAddresses): Promise<void> => {
  try {
    const { default: list }: { readonly default: readonly ListedModule[] } = await import(/* @vite-ignore */ entry)
    const loaded = await Promise.all(list.map(loadModule))
    change({
      modules: loaded.filter(one => typeof one === 'object'),
      failed: loaded.filter(one => typeof one === 'string'),
      styles,
    })
  } catch (error) {
    // Everything else works without them.
    reportError(error)
    change({ modules: [], failed: [entry], styles: [] })
  }
}

/** How long the first page waits for a bundle that `plinth dev` is still making. */
const patienceMs = 3000

/** Follows the versions of a developer. */
const follow = (address: string): Promise<void> =>
  new Promise(resolve => {
    setTimeout(resolve, patienceMs)
    let current = ''
    new EventSource(address).addEventListener('message', async ({ data }) => {
      const said: PagesAddresses | { readonly error: string } = JSON.parse(data)
      if ('error' in said) change({ ...pages, buildError: said.error })
      else if (said.entry !== current || pages.buildError !== undefined) {
        current = said.entry
        await load(said)
      }
      resolve()
    })
  })

const begin = async (): Promise<void> => {
  const { pages } = application
  if (!pages) return
  await ('changes' in pages ? follow(pages.changes) : load(pages))
}

/** Resolves when the pages of modules are known. */
export const firstModulePages = begin()

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const modulePages = (): ModulePages => pages

export const useModulePages = (): ModulePages => useSyncExternalStore(subscribe, modulePages)
