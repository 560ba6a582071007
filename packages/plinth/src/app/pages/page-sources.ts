// Which modules bring pages, and where these begin.

import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DefinitionError } from '../../core/model/definition-error.ts'
import type { Module } from '../../core/module.ts'
import { fileOf } from '../../core/source-place.ts'

export interface PageSource {
  /** The name of the module. */
  readonly module: string
  /** An absolute path, or the name of a package. */
  readonly file: string
  /** The folder from which the package is found. */
  readonly folder: string
}

const isPath = (web: string): boolean => /^\.{0,2}\//.test(web)

/** The pages of these modules. Fails when a file is missing. */
export const pageSources = (modules: readonly Module[]): readonly PageSource[] => {
  const sources = modules.flatMap(module => {
    const { name, web } = module
    if (web === undefined) return []
    const folder = dirname(fileOf(module) ?? resolve('plinth.config.ts'))
    return [{ module: name, file: isPath(web) ? resolve(folder, web) : web, folder }]
  })
  const faults = sources.flatMap(({ module, file }) =>
    isPath(file) && !existsSync(file) ? [{ message: `module '${module}': \`web\` names a missing file: ${file}` }] : [],
  )
  if (faults.length > 0) throw new DefinitionError(faults)
  return sources
}
