// An application in TypeScript as one file of JavaScript. Packages stay imports, so that the application and the command line
// share one Plinth.

import type { BuildFailure, BuildOptions } from 'esbuild'
import { CommandError } from './command-error.ts'

export const bundleOptions = (source: string, outfile: string): BuildOptions => ({
  entryPoints: [source],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  sourcemap: 'inline',
  logLevel: 'silent',
})

/** Loaded when it is needed: a built application runs without it. */
export const loadBundler = () => import('esbuild')

const isBuildFailure = (error: unknown): error is BuildFailure =>
  error instanceof Error && 'errors' in error && Array.isArray(error.errors)

/** The messages of the bundler name file, line and column. */
export const toCommandError = async (error: unknown): Promise<unknown> => {
  if (!isBuildFailure(error)) return error
  const { formatMessages } = await loadBundler()
  return new CommandError((await formatMessages(error.errors, { kind: 'error', terminalWidth: 120 })).join('').trim())
}

export const bundleApp = async (source: string, outfile: string): Promise<void> => {
  const { build } = await loadBundler()
  try {
    await build(bundleOptions(source, outfile))
  } catch (error) {
    throw await toCommandError(error)
  }
}
