// A password from the person at the terminal, without showing it; or from a pipe, for scripts.

import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

export interface AskedPassword {
  readonly password: string
  /** Nobody gave one, so this one was made, and has to be shown. */
  readonly isMade: boolean
}

/** What is typed stays unseen; nothing typed, or nothing in the pipe, has one made. */
export const askPassword = async (question: string): Promise<AskedPassword> => {
  const given = process.stdin.isTTY ? await typed(question) : await piped()
  return given === ''
    ? { password: randomBytes(18).toString('base64url'), isMade: true }
    : { password: given, isMade: false }
}

const typed = (question: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const unseen = new Writable({ write: (_, __, done) => done() })
    const terminal = createInterface({ input: process.stdin, output: unseen, terminal: true })
    process.stderr.write(question)
    terminal.once('SIGINT', () => terminal.close())
    terminal.once('close', () => reject(new Error('No password was given.')))
    terminal.once('line', line => {
      process.stderr.write('\n')
      resolve(line)
      terminal.close()
    })
  })

/** The first line, without its end. */
const piped = async (): Promise<string> => {
  let text = ''
  for await (const chunk of process.stdin) text += String(chunk)
  return text.split(/\r?\n/, 1)[0] ?? ''
}
