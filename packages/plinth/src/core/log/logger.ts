// The logger that code of modules uses.

/** Writes a line: a message, or fields and a message. An error goes into the field `err`. */
export interface LogMethod {
  (message: string): void
  (fields: object, message?: string): void
}

/**
 * Writes lines of the log, each at a level.
 *
 * @example
 * log.info({ loan: loan.pk }, 'returned')
 */
export interface Logger {
  readonly trace: LogMethod
  readonly debug: LogMethod
  readonly info: LogMethod
  readonly warn: LogMethod
  readonly error: LogMethod
  readonly fatal: LogMethod
  /** Does the log keep lines of this level, such as `debug`? What makes such lines can be left out otherwise. */
  isLevelEnabled(level: string): boolean
}
