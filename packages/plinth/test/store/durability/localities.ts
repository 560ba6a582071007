// The records that are written while the service is killed, stopped and short of room, and what is left of them.

import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import type { ServiceProcess } from '@plinth/test-kit/service-process'

/** What the database itself finds wrong with its file. */
export const damagesOf = (folder: string): unknown[] => {
  const database = new DatabaseSync(join(folder, 'plinth.db'), { timeout: 30_000 })
  try {
    const integrity = database.prepare('PRAGMA integrity_check').all() as { integrity_check: string }[]
    const references = database.prepare('PRAGMA foreign_key_check').all()
    return [...integrity.filter(row => row.integrity_check !== 'ok'), ...references]
  } finally {
    database.close()
  }
}

export interface Locality {
  readonly pk: string
  readonly name: string
  readonly path: string
  readonly version: number
}

/** Every locality, by pk. */
export const localitiesOf = async ({ admin }: Pick<ServiceProcess, 'admin'>): Promise<Map<string, Locality>> => {
  const answer = await admin.get('/api/rest/localities?page=no', { Accept: 'application/json' })
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
  return new Map(answer.body.content.map((one: Locality) => [one.pk, one]))
}

export const asJson = { Accept: 'application/json', 'Content-Type': 'application/json' } as const
