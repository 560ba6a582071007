// The application of a command: its definition and settings, and the work with it.

import type { AppDefinition } from '../app/define-app.ts'
import type { App, AppParts } from '../app.ts'
import type { Config } from '../config.ts'

/** What a command knows: the application, and how the user wants it configured. */
export interface CommandScope {
  readonly app: AppDefinition
  /** The folder where paths in its definition begin. */
  readonly folder: string
  /** The folder of the bundled pages of its modules. */
  readonly pagesFolder?: string | undefined
  /** Says that nothing has bundled the pages: the application runs from its source. */
  readonly needsPages?: boolean
  readonly config: () => Config
}

export const loadService = () => import('../app.ts')

export const print = (...lines: readonly string[]): void => console.log(lines.join('\n'))

export interface StartOptions {
  readonly allowOlder?: true
}

export const withApp = async (
  scope: CommandScope,
  work: (app: App) => Promise<void>,
  { allowOlder, tracing }: StartOptions & Pick<AppParts, 'tracing'> = {},
): Promise<void> => {
  const { app: definition, folder: appFolder, config } = scope
  const { createApp } = await loadService()
  const parts = { appFolder, allowsOlder: allowOlder === true, ...(tracing && { tracing }) }
  // Standard output is for what the command was asked for.
  const app = await createApp(definition, config(), { ...parts, logTo: 'stderr' })
  try {
    await work(app)
  } finally {
    await app.close()
  }
}
