// Commands for the keys that the service has generated.

import type { Command } from '../../core/command.ts'
import { moveKeys } from './keys.ts'

export const keyCommands: readonly Command[] = [
  { name: 'keys', about: 'manage the keys that the service has generated' },
  {
    name: 'keys move',
    about: 'move them from the database to files in the data folder, for all instances that share it',
    run: ({ config, print, withPlatform }) =>
      withPlatform(async ({ store }) => {
        const files = await moveKeys(store, config)
        if (files.length === 0) return print('The database has no keys.')
        print('Keys moved. Copy these files to the data folder of every instance and restart it:', ...files)
      }),
  },
]
