// What is needed together goes into one file: dozens of small ones cost more requests than they save bytes.

import { join } from 'node:path'
import type { Plugin } from 'vite'

interface FirstModules {
  readonly plugin: Plugin
  /** Is the module one of them? Known when all modules are. */
  readonly includes: (id: string) => boolean
}

/** The paths of files in the folder; what they import comes along, but for what arrives later. */
export const findFirstModules = (folder: string, ...starts: readonly string[]): FirstModules => {
  const found = new Set<string>()
  const plugin: Plugin = {
    name: `modules of ${starts[0]}`,
    apply: 'build',
    buildEnd() {
      const add = (id: string): void => {
        // Packages list all that they have: what is needed of them is not known here.
        if (found.has(id) || id.includes('node_modules')) return
        found.add(id)
        for (const next of this.getModuleInfo(id)?.importedIds ?? []) add(next)
      }
      for (const start of starts) add(join(folder, start))
    },
  }
  return { plugin, includes: id => found.has(id) }
}
