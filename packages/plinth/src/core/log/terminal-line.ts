// Lines of the log for a person at a terminal; programs get the JSON as it is.

const colours: Readonly<Record<string, number>> = { fatal: 31, error: 31, warn: 33, info: 32, debug: 36, trace: 90 }

const paint = (colour: number, text: string): string => `\u001b[${colour}m${text}\u001b[0m`

const toWord = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** One JSON line as `12:00:00.000 INFO  http  message  name=value`, with the stack of an error below it. */
export const toTerminalLine = (line: string): string => {
  const { time, level, logger, msg, err, ...fields } = JSON.parse(line) as Record<string, unknown>
  const name = String(level)
  const rest = Object.entries(fields).map(([key, value]) => paint(90, `${key}=`) + toWord(value))
  const stack = typeof err === 'object' && err !== null && 'stack' in err ? `\n${String(err.stack)}` : ''
  const head = [
    paint(90, String(time).slice(11, 23)),
    paint(colours[name] ?? 0, name.toUpperCase().padEnd(5)),
    paint(90, String(logger).padEnd(8)),
    String(msg ?? ''),
  ]
  return `${[...head, ...rest].join(' ')}${stack}\n`
}
