import { defineModule } from 'plinth'
import { filmActors, filmCategories, filmPricingStrategies, films } from './catalogue.ts'
import { clients } from './clients.ts'
import { rentalEndpoints } from './endpoints.ts'
import { filmInventoryEntries } from './film-inventory-entries.ts'
import { rentalCommands } from './import-films.ts'
import { payments } from './payments.ts'
import { rentalFault, rentalProblem } from './problems.ts'
import { rentalAudit, rentals } from './rentals.ts'
import { booksSeed, demoStoreSeed, mustKeepCurrency, rentalBooks, strategiesSeed } from './seed.ts'
import { rentalSettings } from './settings.ts'

export type { CopyCode } from './fields.ts'

export const rental = defineModule({
  name: 'rental',
  title: { de: 'Verleih' },
  about: {
    en: 'A film rental store: catalogue, copies, rentals, payments and the counter.',
    de: 'Ein Filmverleih: Katalog, Exemplare, Ausleihen, Zahlungen und die Theke.',
  },
  settings: [rentalSettings],
  reservedNames: ['order', 'orders'],
  problems: rentalProblem.table,
  faults: rentalFault.table,
  auditTypes: rentalAudit.types,
  web: '@plinth/rental/web',
  resources: [
    filmPricingStrategies,
    filmActors,
    filmCategories,
    films,
    filmInventoryEntries,
    rentals,
    payments,
    clients,
    rentalBooks,
  ],
  endpoints: rentalEndpoints,
  commands: rentalCommands,
  seeds: [booksSeed, strategiesSeed, demoStoreSeed],
  // The currency decides how amounts are stored.
  check: ({ platform, config }) => mustKeepCurrency(platform, config.get(rentalSettings).currency),
})
