// One row of an imported catalogue: the film with its people, categories and copies. What is there already is found again:
// the film by a barcode or by title and year, actors by name, categories by path.

import { type FaultReason, fault } from '../../core/fault.ts'
import type { Input } from '../../core/formats/format.ts'
import type { Filter } from '../../core/model/query.ts'
import type { StoredRecord } from '../../core/model/record.ts'
import type { Resource } from '../../core/model/resource.ts'
import { Problem } from '../../core/problem.ts'
import type { Inside } from '../../core/rest/platform.ts'
import { readValues } from '../../core/rest/values.ts'
import { createRecord, updateRecord } from '../../core/rest/write.ts'
import { trimScan } from './barcodes.ts'
import { memberEquals } from './conditions.ts'
import { rentalFault } from './faults.ts'
import type { Copy } from './film-inventory-entries.ts'
import type { filmColumns } from './import-films.ts'
import { findFirst } from './reading.ts'

export type FilmRow = Readonly<Partial<Record<(typeof filmColumns)[number], string>>>

export const importRow = async (inside: Inside, row: FilmRow): Promise<'created' | 'changed' | 'unchanged'> => {
  const copies = inside.tx.resource('filmInventoryEntries')
  const barcodes = partsOf(row.barcodes).map(trimScan)
  const known: Copy[] = []
  for (const barcode of barcodes) {
    const copy = (await findFirst(inside.tx, copies, memberEquals(copies, 'barcode', barcode))) as Copy | null
    if (copy) known.push(copy)
  }
  const members = await membersOf(inside, row)
  const film = await findFilm(inside, members, known)
  const { pk, outcome } = film ? await change(inside, film, members) : await make(inside, members)
  if (known.some(copy => copy.film.pk !== pk)) throw refusal('barcodes', rentalFault('other_film'))
  const missing = barcodes.filter(barcode => !known.some(copy => copy.barcode === barcode))
  for (const barcode of missing) await create(inside, copies, { film: pk, barcode })
  const added = missing.length + (await fillUp(inside, copies, { film: pk, wanted: row.copies }))
  return outcome === 'unchanged' && added > 0 ? 'changed' : outcome
}

/** Several values in one cell are parted by semicolons. */
const partsOf = (cell: string | undefined): string[] => [
  ...new Set(
    (cell ?? '')
      .split(';')
      .map(part => part.trim())
      .filter(part => part !== ''),
  ),
]

const refusal = (member: string, reason: FaultReason): Problem =>
  new Problem('invalid', { detail: `${member} ${reason.message}.`, errors: [{ member, ...reason }] })

const texts = ['title', 'description', 'mpaaRating', 'primaryLanguage'] as const
const numbers = ['releaseYear', 'runtimeInSeconds', 'replacementCost'] as const

/** As a caller would send them; the model judges. Empty cells say nothing. */
const membersOf = async (inside: Inside, row: FilmRow): Promise<Record<string, unknown>> => {
  const members: Record<string, unknown> = {}
  for (const name of texts) if (row[name]) members[name] = row[name]
  for (const name of numbers)
    if (row[name]) members[name] = Number.isNaN(Number(row[name])) ? row[name] : Number(row[name])
  if (row.pricingStrategy) members.pricingStrategy = await strategyNamed(inside, row.pricingStrategy)
  if (row.actors) members.filmActors = await each(partsOf(row.actors), name => actorNamed(inside, name))
  if (row.categories) members.filmCategories = await each(partsOf(row.categories), path => categoryAt(inside, path))
  return members
}

const each = async (parts: readonly string[], find: (part: string) => Promise<string>): Promise<string[]> => {
  const pks: string[] = []
  for (const part of parts) pks.push(await find(part))
  return pks
}

const strategyNamed = async ({ tx }: Inside, name: string): Promise<string> => {
  const strategies = tx.resource('filmPricingStrategies')
  const found = await findFirst(tx, strategies, memberEquals(strategies, 'name', name))
  if (!found) throw refusal('pricingStrategy', rentalFault('unknown_strategy', { name }))
  return found.pk
}

const actorNamed = async (inside: Inside, name: string): Promise<string> => {
  const actors = inside.tx.resource('filmActors')
  const found = await findFirst(inside.tx, actors, memberEquals(actors, 'name', name))
  if (found) return found.pk
  const words = name.split(/\s+/)
  const lastName = words.pop()
  return (await create(inside, actors, { firstName: words.join(' ') || null, lastName })).pk
}

/** `Fiction: Drama`, made from the top down where it is missing. */
const categoryAt = async (inside: Inside, path: string): Promise<string> => {
  const categories = inside.tx.resource('filmCategories')
  const names = path.split(':').map(name => name.trim())
  let parent: string | null = null
  for (let depth = 1; depth <= names.length; depth++) {
    const here = names.slice(0, depth).join(': ')
    const found: StoredRecord | null = await findFirst(inside.tx, categories, memberEquals(categories, 'path', here))
    parent = found?.pk ?? (await create(inside, categories, { name: names[depth - 1], parent })).pk
  }
  return String(parent)
}

const findFilm = async ({ tx }: Inside, members: Record<string, unknown>, known: readonly Copy[]) => {
  const films = tx.resource('films')
  const [copy] = known
  if (copy) return tx.get(films, copy.film.pk)
  const { title, releaseYear = null } = members
  if (typeof title !== 'string' || (releaseYear !== null && !Number.isSafeInteger(releaseYear))) return null
  const same: Filter = {
    op: 'and',
    parts: [memberEquals(films, 'title', title), memberEquals(films, 'releaseYear', releaseYear)],
  }
  return findFirst(tx, films, same)
}

const inputOf = (members: Record<string, unknown>): Input => ({
  pk: undefined,
  members,
  pointer: member => `/${member}`,
  refusesUnknown: false,
})

const create = (inside: Inside, resource: Resource, members: Record<string, unknown>): Promise<StoredRecord> =>
  createRecord(inside, { resource, input: inputOf(members), given: { pk: undefined, by: 'body' } })

/** Of new films about which nothing is said. */
const usualStrategy = 'Regular'

const make = async (inside: Inside, members: Record<string, unknown>) => {
  const pricingStrategy = members.pricingStrategy ?? (await strategyNamed(inside, usualStrategy))
  const { pk } = await create(inside, inside.tx.resource('films'), { ...members, pricingStrategy })
  return { pk, outcome: 'created' as const }
}

const change = async (inside: Inside, { pk }: StoredRecord, members: Record<string, unknown>) => {
  const resource = inside.tx.resource('films')
  const updated = await updateRecord(inside, {
    resource,
    pk,
    operation: 'patch',
    preconditions: {},
    read: before => readValues({ resource, input: inputOf(members), mode: 'patch', before }, inside),
  })
  return { pk, outcome: updated?.changed ? ('changed' as const) : ('unchanged' as const) }
}

/** Copies without a barcode, until there are as many as the row says; gives how many were added. */
const fillUp = async (
  inside: Inside,
  copies: Resource,
  { film, wanted = '' }: { film: string; wanted?: string },
): Promise<number> => {
  if (wanted === '') return 0
  const count = /^\d{1,4}$/.test(wanted) ? Number(wanted) : Number.NaN
  if (Number.isNaN(count)) throw refusal('copies', fault('whole_number_between', { min: 0, max: 9999 }))
  const there = await inside.tx.count(copies, memberEquals(copies, 'film', film))
  for (let copy = there; copy < count; copy++) await create(inside, copies, { film })
  return Math.max(0, count - there)
}
