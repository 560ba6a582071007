// The types of `@plinth/web` as applications get them.

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../..', import.meta.url))

const page = `
import { PageHeader } from '@plinth/web'
import './everywhere.css'
import classes from './page.module.css'

export const Page = () => <div className={classes.wide}><PageHeader title="Page" /></div>

// @ts-expect-error
export const wrong: number = classes.wide
`

test('pages import styles without a declaration of their own', async () => {
  // Below the packages, so that theirs are found.
  const folder = mkdtempSync(join(root, 'packages/web/dist/types-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'page.tsx'), page)
  const compilerOptions = {
    ...{ module: 'nodenext', target: 'es2022', lib: ['es2023', 'dom'], jsx: 'react-jsx', types: [] },
    ...{ strict: true, skipLibCheck: true, noEmit: true },
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['page.tsx'] }))
  const tsc = join(root, 'node_modules/typescript-native/bin/tsc')
  const { stdout } = await run(process.execPath, [tsc, '-p', folder]).catch(error => error)
  expect(stdout).toBe('')
})
