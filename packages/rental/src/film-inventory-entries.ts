import { boolean, choice, computed, defineResource, many, Problem, type Row, ref, text } from 'plinth'
import { catalogueAccess } from './access.ts'
import { barcodePattern, isSoundCode } from './barcodes.ts'
import { rentalFault } from './problems.ts'

/** A copy can be rented when it is not rented out and is in order. */
const isAvailable = ({ currentRental, status }: Readonly<Record<string, unknown>>): boolean =>
  (currentRental ?? null) === null && status === 'good'

export const mustBeSound = (field: string, code: unknown): void => {
  if (typeof code !== 'string' || isSoundCode(code)) return
  const reason = rentalFault('check_digit')
  throw new Problem('invalid', {
    detail: `${field} ${reason.message}.`,
    errors: [{ pointer: `/${field}`, member: field, ...reason }],
  })
}

export const filmInventoryEntries = defineResource('filmInventoryEntries', {
  title: { de: 'Filmexemplare' },
  singularTitle: { de: 'Filmexemplar' },
  about: { en: 'The physical copies of films.', de: 'Die einzelnen Exemplare der Filme.' },
  label: 'barcode',
  stamps: 'people',
  showsId: true,
  history: true,
  trash: true,
  fields: {
    film: ref('films', { required: true, title: { de: 'Film' } }),
    barcode: text({ max: 40, unique: true, pattern: barcodePattern, title: { de: 'Strichcode' } }),
    status: choice(['good', 'damaged', 'lost', 'retired'], {
      default: 'good',
      about: {
        en: 'Only copies in good condition can be rented.',
        de: 'Nur Exemplare in gutem Zustand werden verliehen.',
      },
      labels: {
        good: { de: 'gut' },
        damaged: { de: 'beschädigt' },
        lost: { de: 'verloren' },
        retired: { de: 'ausgemustert' },
      },
      title: { de: 'Status' },
    }),
    currentRental: ref('rentals', {
      serverOwned: true,
      onDelete: 'clear',
      title: { en: 'Current rental', de: 'Laufende Ausleihe' },
    }),
    available: computed(boolean({ indexed: true, title: { de: 'Verfügbar' } }), isAvailable),
    rentals: many('rentals', { by: 'inventory', title: { de: 'Ausleihen' } }),
  },
  hooks: {
    beforeCreate: ({ values }) => mustBeSound('barcode', values.barcode),
    beforeUpdate: ({ values }) => mustBeSound('barcode', values.barcode),
  },
  access: catalogueAccess,
})

export type Copy = Row<typeof filmInventoryEntries>
