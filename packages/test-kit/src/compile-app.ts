// The compiler, as applications run it, on one file.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { waitingFor } from '../../plinth/src/testing/waiting.ts'

const compiler = fileURLToPath(new URL('../../../node_modules/typescript-native/bin/tsc', import.meta.url))

const options = ['--strict', '--noEmit', '--skipLibCheck', '--target', 'es2023', '--module', 'nodenext', '--types', '']

/** Compiles `app.ts` in the folder. Returns what the compiler says, nothing where all is right. */
export const compileApp = (folder: string): Promise<string> =>
  waitingFor(
    'the compiler',
    new Promise<string>(resolve => {
      execFile(process.execPath, [compiler, ...options, 'app.ts'], { cwd: folder }, (_, out) => resolve(out))
    }),
  )
