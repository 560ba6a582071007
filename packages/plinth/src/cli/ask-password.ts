// A password from the person at the terminal, without showing it; or from a pipe, for scripts.

import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import type { CommandPassword } from '../core/module.ts'

/** Asks for a password without echoing it; an empty line, or an empty pipe, has one generated. */
export const askPassword = async (question: string): Promise<CommandPassword> => {
  const password = process.stdin.isTTY ? await typed(question) : await piped()
  return password === ''
    ? { password: randomBytes(18).toString('base64url'), isGenerated: true }
    : { password: password, isGenerated: false }
}

const typed = (question: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const unseen = new Writable({ write: (_, __, done) => done() })
    const terminal = createInterface({ input: process.stdin, output: unseen, terminal: true })
    process.stderr.write(question)
    terminal.once('SIGINT', () => terminal.close())
    terminal.once('close', () => reject(new Error('No password entered.')))
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
