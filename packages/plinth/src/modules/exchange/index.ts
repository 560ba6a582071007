import { defineModule } from '../../core/module.ts'
import { exchangeCommands } from './commands.ts'
import { unfinishedImports } from './import-records.ts'

export const exchange = defineModule({
  name: 'exchange',
  title: { de: 'Austausch' },
  about: {
    en: 'Records as files: export and import of every resource.',
    de: 'Datensätze als Dateien: Export und Import jeder Ressource.',
  },
  resources: [unfinishedImports],
  commands: exchangeCommands,
})
