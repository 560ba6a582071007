// One row of an imported catalogue: the film with its people, categories and copies. What is there already is found again:
// the film by a barcode or by title and year, actors by name, categories by path.

import { fault, Problem, type TransactionRecords } from 'plinth'
import { changeFromFields, createFromFields, type FaultReason, type TransactionContext } from 'plinth/module'
import { trimScan } from './barcodes.ts'
import { type Film, filmActors, filmCategories, filmPricingStrategies, films } from './catalogue.ts'
import { type Copy, filmInventoryEntries } from './film-inventory-entries.ts'
import { rentalFault } from './problems.ts'

export const filmColumns = [
  'title',
  'description',
  'mpaaRating',
  'releaseYear',
  'runtimeInSeconds',
  'replacementCost',
  'primaryLanguage',
  'pricingStrategy',
  'actors',
  'categories',
  'barcodes',
  'copies',
] as const

export type FilmRow = Readonly<Partial<Record<(typeof filmColumns)[number], string>>>

type ImportTransaction = TransactionContext & { readonly records: TransactionRecords }

export const importRow = async (
  transaction: ImportTransaction,
  row: FilmRow,
): Promise<'created' | 'changed' | 'unchanged'> => {
  const barcodes = partsOf(row.barcodes).map(trimScan)
  const known: Copy[] = []
  for (const barcode of barcodes) {
    const copy = await transaction.records.first(filmInventoryEntries, { where: { barcode } })
    if (copy) known.push(copy)
  }
  const fields = await fieldsOf(transaction, row)
  const film = await findFilm(transaction, fields, known)
  const { pk, outcome } = film ? await change(transaction, film, fields) : await make(transaction, fields)
  if (known.some(copy => copy.film.pk !== pk)) throw refusal('barcodes', rentalFault('other_film'))
  const missing = barcodes.filter(barcode => !known.some(copy => copy.barcode === barcode))
  for (const barcode of missing) await createFromFields(transaction, filmInventoryEntries, { film: pk, barcode })
  const added = missing.length + (await fillUp(transaction, { film: pk, copies: row.copies }))
  return outcome === 'unchanged' && added > 0 ? 'changed' : outcome
}

/** Parts the values of a cell, which are separated by semicolons. */
const partsOf = (cell: string | undefined): string[] => [
  ...new Set(
    (cell ?? '')
      .split(';')
      .map(part => part.trim())
      .filter(part => part !== ''),
  ),
]

const refusal = (field: string, reason: FaultReason): Problem =>
  new Problem('invalid', { detail: `${field} ${reason.message}.`, errors: [{ member: field, ...reason }] })

const texts = ['title', 'description', 'mpaaRating', 'primaryLanguage'] as const
const numbers = ['releaseYear', 'runtimeInSeconds', 'replacementCost'] as const

/** Returns the fields as a caller would send them; the model judges. Empty cells say nothing. */
const fieldsOf = async (transaction: ImportTransaction, row: FilmRow): Promise<Record<string, unknown>> => {
  const fields: Record<string, unknown> = {}
  for (const name of texts) if (row[name]) fields[name] = row[name]
  for (const name of numbers)
    if (row[name]) fields[name] = Number.isNaN(Number(row[name])) ? row[name] : Number(row[name])
  if (row.pricingStrategy) fields.pricingStrategy = await strategyNamed(transaction, row.pricingStrategy)
  if (row.actors) fields.filmActors = await each(partsOf(row.actors), name => actorNamed(transaction, name))
  if (row.categories) fields.filmCategories = await each(partsOf(row.categories), path => categoryAt(transaction, path))
  return fields
}

const each = async (parts: readonly string[], find: (part: string) => Promise<string>): Promise<string[]> => {
  const pks: string[] = []
  for (const part of parts) pks.push(await find(part))
  return pks
}

const strategyNamed = async (transaction: ImportTransaction, name: string): Promise<string> => {
  const found = await transaction.records.first(filmPricingStrategies, { where: { name } })
  if (!found) throw refusal('pricingStrategy', rentalFault('unknown_strategy', { name }))
  return found.pk
}

const actorNamed = async (transaction: ImportTransaction, name: string): Promise<string> => {
  const found = await transaction.records.first(filmActors, { where: { name } })
  if (found) return found.pk
  const words = name.split(/\s+/)
  const lastName = words.pop()
  return (await createFromFields(transaction, filmActors, { firstName: words.join(' ') || null, lastName })).pk
}

/** `Fiction: Drama`, made from the top down where it is missing. */
const categoryAt = async (transaction: ImportTransaction, path: string): Promise<string> => {
  const names = path.split(':').map(name => name.trim())
  let parent: string | null = null
  let here = ''
  for (const name of names) {
    here = here === '' ? name : `${here}: ${name}`
    const found: { readonly pk: string } | null = await transaction.records.first(filmCategories, {
      where: { path: here },
    })
    parent = (found ?? (await createFromFields(transaction, filmCategories, { name, parent }))).pk
  }
  return parent ?? ''
}

const findFilm = (
  transaction: ImportTransaction,
  fields: Record<string, unknown>,
  known: readonly Copy[],
): Promise<Film | null> => {
  const { records } = transaction
  const [copy] = known
  if (copy) return records.first(films, { where: { pk: copy.film.pk } })
  const { title, releaseYear = null } = fields
  const year = typeof releaseYear === 'number' && Number.isSafeInteger(releaseYear) ? releaseYear : null
  if (typeof title !== 'string' || year !== releaseYear) return Promise.resolve(null)
  return records.first(films, { where: { title, releaseYear: year } })
}

/** The strategy of new films about which nothing is said. */
const usualStrategy = 'Regular'

const make = async (transaction: ImportTransaction, fields: Record<string, unknown>) => {
  const pricingStrategy = fields.pricingStrategy ?? (await strategyNamed(transaction, usualStrategy))
  const { pk } = await createFromFields(transaction, films, { ...fields, pricingStrategy })
  return { pk, outcome: 'created' as const }
}

const change = async (transaction: ImportTransaction, { pk }: Film, fields: Record<string, unknown>) => {
  const hasChanged = await changeFromFields(transaction, films, { pk, fields })
  return { pk, outcome: hasChanged ? ('changed' as const) : ('unchanged' as const) }
}

/** Copies without a barcode, until there are as many as the row says; gives how many were added. */
const fillUp = async (
  transaction: ImportTransaction,
  { film, copies: amount = '' }: { film: string; copies?: string },
): Promise<number> => {
  if (amount === '') return 0
  const count = /^\d{1,4}$/.test(amount) ? Number(amount) : Number.NaN
  if (Number.isNaN(count)) throw refusal('copies', fault('whole_number_between', { min: 0, max: 9999 }))
  const there = await transaction.records.count(filmInventoryEntries, { where: { film } })
  for (let copy = there; copy < count; copy++) await createFromFields(transaction, filmInventoryEntries, { film })
  return Math.max(0, count - there)
}
