// One search for the records of all resources that are searched by words.

import { defineModule } from '../../core/module.ts'
import { searchEverything } from './search-everything.ts'

export const searchModule = defineModule({
  name: 'search',
  title: { de: 'Suche' },
  about: { en: 'One search for the records of all resources.', de: 'Eine Suche in den Datensätzen aller Ressourcen.' },
  resources: [],
  endpoints: [searchEverything],
})
