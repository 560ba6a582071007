// What was acknowledged outside of the database survives a power cut: uploads, generated keys, mails in the outbox.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { diskAfter, readSyncs, recordingSyncs, restoreAfterPowerCut } from '@plinth/test-kit/power-cut'
import { emptyFolder, launch, type ServiceProcess } from '@plinth/test-kit/service-process'
import { demoPks, picture, upload } from '@plinth/test-kit/uploads'
import { expect, test } from 'vitest'

const own = `/api/rest/users/${demoPks.client}/files`

const sendMail = async ({ admin }: ServiceProcess, email: string): Promise<void> => {
  expect((await admin.post('/api/rest/invitations', { recipients: [{ email }] })).status).toBeLessThan(300)
  const states = async () => {
    const { body } = await admin.get('/api/rest/mails', { Accept: 'application/json' })
    return (body.content as readonly { readonly state: string }[]).map(({ state }) => state)
  }
  await expect.poll(states, { timeout: 30_000 }).toEqual(['sent'])
}

const download = async ({ url }: ServiceProcess, name: string): Promise<Buffer> => {
  const reply = await fetch(`${url}${own}/${name}`, { headers: { Authorization: `Basic ${btoa('client:client')}` } })
  return Buffer.from(await reply.arrayBuffer())
}

const keysIn = async (folder: string): Promise<Map<string, string>> => {
  const names = (await readdir(folder)).filter(name => name.endsWith('.key'))
  return new Map(
    await Promise.all(names.map(async name => [name, await readFile(join(folder, name), 'utf8')] as const)),
  )
}

// The recorder finds open files in /proc.
test.runIf(process.platform === 'linux')(
  'uploads, keys and mails survive a power cut',
  { timeout: 240_000 },
  async () => {
    const [folder, journal] = [await emptyFolder(), join(await emptyFolder(), 'syncs')]
    const service = await launch({ folder, env: recordingSyncs(journal) })
    const avatarUrl = await picture(20, 20)
    const replies = await Promise.all([
      upload(service, { as: 'client', to: own }, { avatarUrl, note: 'of worth' }),
      upload(service, { as: 'client', to: own }, { other: 'of much worth' }),
    ])
    expect(replies.map(({ status }) => status)).toEqual([201, 201])
    await sendMail(service, 'guest@example.org')
    await service.end('SIGKILL')

    const restored = await restoreAfterPowerCut(folder, journal)
    const keys = await keysIn(folder)
    expect(keys.size).toBeGreaterThan(0)
    expect.soft(await keysIn(restored)).toEqual(keys)
    const messages = (await readdir(restored, { recursive: true })).filter(name => name.endsWith('.eml'))
    expect.soft(messages).toHaveLength(1)
    for (const name of messages)
      expect.soft(await readFile(join(restored, name), 'utf8')).toContain('guest@example.org')
    const restarted = await launch({ folder: restored })
    const contents = await Promise.all(['avatarUrl', 'note', 'other'].map(name => download(restarted, name)))
    expect(contents).toEqual([avatarUrl, Buffer.from('of worth'), Buffer.from('of much worth')])

    // A cut at any moment leaves no key without its content: such a key would keep the service from starting.
    const syncs = await readSyncs(journal)
    for (let count = 0; count <= syncs.length; count++) {
      const { files } = await diskAfter(folder, syncs.slice(0, count))
      expect([...files].filter(([path, content]) => path.endsWith('.key') && content.length === 0)).toEqual([])
    }
  },
)
