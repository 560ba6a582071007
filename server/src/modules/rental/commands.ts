import type { Command } from '../../core/command.ts'
import { Problem } from '../../core/problem.ts'
import { importFilms } from './import-films.ts'

export const rentalCommands: readonly Command[] = [
  { name: 'import', about: 'import records from a file' },
  {
    name: 'import films',
    about: 'import films with their actors, categories and copies from a CSV file',
    arguments: [{ name: '<file>' }],
    run: ({ print, printProgress, withPlatform }, file = '') =>
      withPlatform(async platform => {
        if (!platform.registry.has('films')) throw new Problem('conflict', 'The rental module is off: see app.modules.')
        const { created, changed, unchanged, refused } = await importFilms(platform, { file, tell: printProgress })
        print(`${created} films created, ${changed} changed, ${unchanged} unchanged, ${refused} refused.`)
        if (refused > 0) throw new Problem('invalid', 'Not all rows could be imported.')
      }),
  },
]
