// What code of a module finds in its context, wherever it runs: in a hook, an endpoint, a job, a command or a seed.

import type { Logger } from '../log/logger.ts'
import type { Logs } from '../log/logs.ts'
import type { ReadSettings } from './settings.ts'

/** What code of a module finds in its context. */
export interface CodeContext {
  /** The values of a group of settings: `settings(librarySettings).loanDays`. */
  readonly settings: ReadSettings
  /** The logger of this code, named by its module, such as `library.loans`. */
  readonly log: Logger
}

/** The context of the code with this name, such as `library.loans`. */
export type CodeContexts = (name: string) => CodeContext

/** The loggers are made when they are first used. */
export const createCodeContexts =
  (settings: ReadSettings, logs: Logs): CodeContexts =>
  name => ({
    settings,
    get log() {
      return logs.named(name)
    },
  })
