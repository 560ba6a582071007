// Which build this is.

import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Json } from '../../core/model/json.ts'
import type { Service } from '../../core/rest/service.ts'
import { version } from '../../version.ts'

const here = fileURLToPath(import.meta.url)

/** The folder of the checkout that the program runs from, if it does. */
const findCheckout = (from: string): string | null => {
  const parent = dirname(from)
  if (existsSync(join(from, '.git', 'HEAD'))) return from
  return parent === from ? null : findCheckout(parent)
}

/** Branch and commit as the files of git tell them (gitrepository-layout(5)); nothing for an installed package. */
const readGit = (): Record<string, Json> => {
  const checkout = findCheckout(dirname(here))
  if (checkout === null) return {}
  const read = (name: string) => readFileSync(join(checkout, '.git', name), 'utf8').trim()
  try {
    const head = read('HEAD')
    const ref = /^ref: (.+)$/.exec(head)?.[1]
    if (ref === undefined) return { git: { commit: { id: head } } }
    const packed = () =>
      read('packed-refs')
        .split('\n')
        .find(line => line.endsWith(` ${ref}`))
        ?.split(' ')[0]
    const id = existsSync(join(checkout, '.git', ref)) ? read(ref) : packed()
    return { git: { branch: ref.replace('refs/heads/', ''), ...(id !== undefined && { commit: { id } }) } }
  } catch {
    return {}
  }
}

export const appInfo = { app: { name: 'plinth', version } } as const

export const createInfo = (service: Service): (() => Record<string, Json>) => {
  const build = {
    ...appInfo,
    build: { version, time: statSync(here).mtime.toISOString(), runtime: `Node ${process.versions.node}` },
    ...readGit(),
  }
  return () => Object.assign({}, build, ...service.overview().modules.map(module => module.info(service)))
}
