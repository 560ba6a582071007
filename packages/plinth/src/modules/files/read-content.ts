// The content of a file as a whole, for what is sent elsewhere.

import { buffer } from 'node:stream/consumers'
import type { Service } from '../../core/service.ts'
import { storageFor } from './open-storage.ts'

/** Problem `not_found` when it is gone. */
export const readContent = async ({ config }: Pick<Service, 'config'>, key: string): Promise<Buffer> => {
  const storage = await storageFor(config)()
  return buffer(await storage.read(key))
}
