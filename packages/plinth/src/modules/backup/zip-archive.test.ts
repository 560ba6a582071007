import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import type { BackupPlace } from './place.ts'
import { archiveOf } from './zip-archive.ts'

test('a download that is broken off closes the part that is being read', async () => {
  const part = Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(65_536)
    })(),
  )
  const place = { read: async () => part } as Partial<BackupPlace> as BackupPlace
  const archive = archiveOf(place, 'backup', ['part'])
  for (let size = 0; size < 200_000; ) size += (await archive.next()).value?.length ?? 0
  expect(part.destroyed).toBe(false)
  await archive.return(undefined)
  await expect.poll(() => part.destroyed).toBe(true)
})
