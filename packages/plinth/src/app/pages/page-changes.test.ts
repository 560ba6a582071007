import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { pagesList } from './built-pages.ts'
import { listsIn } from './page-changes.ts'

test('every list of pages that is written is sent, in how many steps it may be written', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-lists-'))
  const closing = new AbortController()
  onTestFinished(() => {
    closing.abort()
    rmSync(folder, { recursive: true, force: true })
  })
  const file = join(folder, pagesList)
  const lists = listsIn(folder, closing.signal)
  expect((await lists.next()).value).toBe(': waiting\n\n')
  for (let version = 1; version <= 100; version++) {
    writeFileSync(file, '')
    await writeFile(file, String(version))
    expect((await lists.next()).value).toBe(`data: ${version}\n\n`)
  }
})
