// The bundler, which is loaded when it is needed: a built application runs without it.

import type { BuildFailure, BuildOptions } from 'esbuild'
import { CommandError } from './explain.ts'

/** Loads the bundler when it is needed: a built application runs without it. */
export const loadBundler = () => import('esbuild')

const isBuildFailure = (error: unknown): error is BuildFailure =>
  error instanceof Error && 'errors' in error && Array.isArray(error.errors)

/** The messages of the bundler name file, line and column. */
export const toCommandError = async (error: unknown): Promise<unknown> => {
  if (!isBuildFailure(error)) return error
  const { formatMessages } = await loadBundler()
  return new CommandError((await formatMessages(error.errors, { kind: 'error', terminalWidth: 120 })).join('').trim())
}

export const bundleApp = async (outfile: string, options: BuildOptions): Promise<void> => {
  const { build } = await loadBundler()
  try {
    await build({ ...options, outfile })
  } catch (error) {
    throw await toCommandError(error)
  }
}
