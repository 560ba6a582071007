// Commands of the command line that modules declare.

import type { Config } from './config/settings.ts'
import type { UncaughtKind } from './guarded.ts'
import type { Platform } from './rest/platform.ts'

export interface Command {
  /** The words to type, such as `admin create`. The first of several may be a command too, or a group that has no `run`. */
  readonly name: string
  readonly about: string
  /** As `<username>`, or `[name]` where it may be left out. */
  readonly arguments?: readonly { readonly name: string; readonly about?: string }[]
  /** As `--verify`, or `--keep <number>` with a value. */
  readonly options?: readonly { readonly name: string; readonly about: string }[]
  /** A problem that it throws is its failure, reported by its message. */
  readonly run?: (context: CommandContext, ...args: readonly (string | undefined)[]) => Promise<void>
}

export interface CommandContext {
  readonly config: Config
  /** The options that were given, by name in camelCase; true for those without a value. */
  readonly options: Readonly<Record<string, string | true>>
  /** Standard output. */
  print(...lines: readonly string[]): void
  /** Standard error, for progress. */
  printProgress(line: string): void
  /** Runs work on the migrated database of the service, without listening. */
  withPlatform(work: (platform: Platform) => Promise<void>): Promise<void>
  /** The same on the database as it is: it may be empty, or of another version. */
  withPlatformAsIs(work: (platform: Platform) => Promise<void>): Promise<void>
  /** Typed without an echo, or read from a pipe; generated when it is empty. */
  askPassword(): Promise<CommandPassword>
  /** Runs until a signal or an uncaught error ends the process. */
  runUntilStopped(running: Stoppable): void
}

export interface CommandPassword {
  readonly password: string
  /** It was generated and has to be shown. */
  readonly isGenerated: boolean
}

export interface Stoppable {
  close(): Promise<void>
  /** Logs and counts an error that nothing has caught. */
  reportUncaught(kind: UncaughtKind, error: unknown): void
}
