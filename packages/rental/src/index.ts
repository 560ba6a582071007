import { defineModule } from 'plinth'
import { createFilmPricingStrategies, createFilms, filmActors, filmCategories } from './catalogue.ts'
import { createClients } from './clients.ts'
import { rentalEndpoints } from './endpoints.ts'
import { filmInventoryEntries } from './film-inventory-entries.ts'
import { rentalCommands } from './import-films.ts'
import { createPayments } from './payments.ts'
import { rentalFault, rentalProblem } from './problems.ts'
import { createRentals, rentalAudit } from './rentals.ts'
import { booksSeed, demoStoreSeed, mustKeepCurrency, rentalBooks, strategiesSeed } from './seed.ts'
import { readRentalSettings, rentalSettings } from './settings.ts'

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
  resources: [],
  commands: rentalCommands,
  // The currency decides how amounts are stored.
  configure: config => {
    const settings = readRentalSettings(config)
    const { scale, currency } = settings
    return {
      resources: [
        createFilmPricingStrategies(scale),
        filmActors,
        filmCategories,
        createFilms(scale),
        filmInventoryEntries,
        createRentals(scale, currency),
        createPayments(scale, currency),
        createClients(scale),
        rentalBooks,
      ],
      endpoints: rentalEndpoints(settings),
      seeds: [booksSeed(currency), strategiesSeed(settings), demoStoreSeed(settings)],
      check: ({ platform }) => mustKeepCurrency(platform, currency),
    }
  },
})
