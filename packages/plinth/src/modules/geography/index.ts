import { defineModule } from '../../core/module.ts'
import { continents } from './continents.ts'
import { countries } from './countries.ts'
import { localities } from './localities.ts'
import { postalCodes } from './postal-codes.ts'
import { worldSeed } from './seed.ts'

export { continents } from './continents.ts'
export { countries } from './countries.ts'
export { localities } from './localities.ts'
export { postalCodes } from './postal-codes.ts'

export const geography = defineModule({
  name: 'geography',
  title: { de: 'Geografie' },
  about: {
    en: 'Continents, countries, localities and postal codes.',
    de: 'Kontinente, Länder, Orte und Postleitzahlen.',
  },
  resources: [continents, countries, localities, postalCodes],
  seeds: [worldSeed],
})
