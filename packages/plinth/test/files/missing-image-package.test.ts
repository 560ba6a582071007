// Image fields of an application that has not installed the package that reads images.

import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import Module from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { modules } from '@plinth/test-kit/platform'
import { startService } from '@plinth/test-kit/service'
import { defineModule, defineResource, image, text } from 'plinth'
import { expect, onTestFinished, test, vi } from 'vitest'
import { isMissingPackage } from '../../src/core/config/optional-packages.ts'

const damages = defineResource('damages', {
  about: 'What is wrong with a book.',
  label: 'remark',
  fields: { remark: text(), photo: image(), close: image({ several: true }) },
  access: { read: 'true', write: 'caller.signedIn' },
})

interface Resolving {
  _resolveFilename(request: string, ...others: readonly unknown[]): string
}

/** Node does not find the package, as if it were not installed. */
const hide = (name: string): void => {
  const node = Module as unknown as Resolving
  const resolve = node._resolveFilename.bind(node)
  const hiding = vi.spyOn(node, '_resolveFilename').mockImplementation((request, ...others) => {
    if (request !== name) return resolve(request, ...others)
    throw Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' })
  })
  onTestFinished(() => hiding.mockRestore())
}

const startLibrary = async () => {
  const lines: string[] = []
  const library = defineModule({ name: 'library', about: 'Books.', resources: [damages] })
  const service = await startService('sqlite', {
    modules: [...modules, library],
    settings: { 'app.log.level': 'info' },
    logTo: { write: (line: string) => void lines.push(line) },
  })
  onTestFinished(service.stop)
  const { body } = await service.as('admin').get('/api/management/doctor')
  const finding = body.findings.find(({ check }: { readonly check: string }) => check === 'images')
  return { lines: lines.filter(line => line.includes('sharp')), finding }
}

test('the start warns once and the doctor reports that images cannot be uploaded', async () => {
  hide('sharp')
  const { lines, finding } = await startLibrary()
  const explanation = 'Images cannot be uploaded to damages.photo, damages.close: the package sharp is not installed.'
  const remedy = 'Run `npm install sharp`, and restart.'
  expect(lines.map(line => JSON.parse(line))).toMatchObject([{ logger: 'app', msg: `${explanation} ${remedy}` }])
  expect(finding).toEqual({ check: 'images', level: 'error', explanation, remedy })
})

test('nothing is said where the package is installed', async () => {
  const { lines, finding } = await startLibrary()
  expect(lines).toEqual([])
  expect(finding).toMatchObject({ level: 'ok' })
})

/** Imports `lens` before and after it is installed, in a thread of its own, and posts both errors. */
const program = (folder: string) => `
const { parentPort } = require('node:worker_threads')
const { mkdirSync, writeFileSync } = require('node:fs')
const load = () => import(${JSON.stringify(pathToFileURL(join(folder, 'load.mjs')).href)}).then(({ load }) => load())
const errorOf = () => load().then(() => null, ({ code, message }) => ({ code, message }))
const run = async () => {
  const before = await errorOf()
  mkdirSync(${JSON.stringify(join(folder, 'node_modules/lens/dist'))}, { recursive: true })
  writeFileSync(${JSON.stringify(join(folder, 'node_modules/lens/package.json'))}, '{ "main": "dist/lens.js" }')
  writeFileSync(${JSON.stringify(join(folder, 'node_modules/lens/dist/lens.js'))}, '')
  parentPort.postMessage([before, await errorOf()])
}
run()`

test('a package that is installed while the process runs is still missing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-lens-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'node_modules'))
  await writeFile(join(folder, 'load.mjs'), "export const load = () => import('lens')")
  const worker = new Worker(program(folder), { eval: true })
  const [[before, after]] = await once(worker, 'message')
  await worker.terminate()
  expect(after?.message).toContain('node_modules/lens/index.js')
  for (const { code, message } of [before, after]) {
    const error = Object.assign(new Error(message), { code })
    expect(isMissingPackage(error, ['lens']), message).toBe(true)
    expect(isMissingPackage(error, ['glass']), message).toBe(false)
  }
})

test('a package that lacks a part of its own is another fault', () => {
  const message = "Cannot find package '@img/lens' imported from /app/node_modules/lens/index.js"
  const error = Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' })
  expect(isMissingPackage(error, ['lens'])).toBe(false)
})
