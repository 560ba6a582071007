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
        if (files.length === 0) return print('There are no keys in the database.')
        print('Moved. Every instance needs these files in its data folder, and a restart:', ...files)
      }),
  },
]
