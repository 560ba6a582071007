import { defineModule } from '../../core/module.ts'
import { exchangeCommands } from './commands.ts'
import { importEndpoints } from './endpoints.ts'
import { unfinishedImports } from './import-records.ts'
import { exchangeSettings } from './receive-file.ts'

export const exchange = defineModule({
  name: 'exchange',
  title: { de: 'Austausch' },
  about: {
    en: 'Records as files: import of every resource, and the commands for import and export.',
    de: 'Datensätze als Dateien: Import jeder Ressource, und die Befehle für Import und Export.',
  },
  settings: [exchangeSettings],
  resources: [unfinishedImports],
  endpoints: importEndpoints,
  commands: exchangeCommands,
})
