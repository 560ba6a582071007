import { extent } from '@plinth/test-kit/extent'
import { checkProperty } from '@plinth/test-kit/random'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ResourceDefinition } from '../../src/core/model/define.ts'
import { DefinitionError } from '../../src/core/model/definition-error.ts'
import type { Field } from '../../src/core/model/field.ts'
import { boolean, integer, links, ref, text, textList, timestamp } from '../../src/core/model/fields.ts'
import type { Registry } from '../../src/core/model/registry.ts'
import type { ColumnType } from '../../src/core/model/value-field.ts'
import type { Driver } from '../../src/core/store/driver.ts'
import { migrate } from '../../src/core/store/migrate/apply.ts'
import { planMigration } from '../../src/core/store/migrate/plan.ts'
import type { Table } from '../../src/core/store/migrate/table.ts'
import { tablesOf } from '../../src/core/store/migrate/tables.ts'
import { quote } from '../../src/core/store/sql/columns.ts'
import { createTestDatabase, dialects, modelOf, resource } from './migrate-databases.ts'

const names = ['albums', 'bands']
const target = fc.constantFrom(...names)
const flag = fc.boolean()
// Much that asks for more of the records that exist is refused, and a refusal tests little here.
const seldom = fc.integer({ max: 3, min: 0 }).map(number => number === 0)
const onDelete = fc.constantFrom('refuse' as const, 'cascade' as const, 'clear' as const)
const unique = fc.constantFrom(false, false, true, 'ignoreCase' as const)

const reference: fc.Arbitrary<Field> = fc
  .record({ target, required: seldom, onDelete, unique: flag })
  // A required reference cannot be cleared.
  .filter(({ required, onDelete }) => !(required && onDelete === 'clear'))
  .map(({ target, ...options }) => ref(target, options))

// Mostly of one type each, so that many changes can be made and not only refused.
const fields: Record<string, fc.Arbitrary<Field>> = {
  title: fc.record({ required: seldom, unique, indexed: flag, default: fc.constantFrom(undefined, "it's") }).map(text),
  label: fc
    .record({ required: seldom, unique, renamedFrom: fc.constantFrom(undefined, 'title') })
    .map(options => text(options)),
  count: fc.record({ required: seldom, indexed: flag, default: fc.constantFrom(undefined, 0, -7) }).map(integer),
  open: fc.record({ required: seldom, default: fc.constantFrom(undefined, true, false) }).map(boolean),
  moment: fc.record({ required: seldom, indexed: flag }).map(timestamp),
  tags: fc.record({ required: seldom, default: fc.constantFrom(undefined, ['a']) }).map(textList),
  maker: fc.oneof(reference, fc.record({ required: seldom, unique }).map(text)),
  parent: reference.map(field => ({ ...field, options: { ...field.options, renamedFrom: 'maker' } })),
  others: fc.constantFrom(undefined, 'friends').map(renamedFrom => links('albums', { renamedFrom })),
  friends: fc.constant(links('albums')),
}

const only = (kept: readonly string[]): Record<string, fc.Arbitrary<Field>> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => kept.includes(name)))

const oneResource = (name: string) =>
  fc
    .record({
      fields: fc.subarray(Object.keys(fields)).chain(kept => fc.record(only(kept))),
      stamps: fc.constantFrom('none' as const, 'dates' as const),
      together: flag,
    })
    .map(({ fields, stamps, together }) => {
      const group = Object.keys(fields).filter(field => ['count', 'maker', 'moment'].includes(field))
      return resource(name, fields, { stamps, uniqueTogether: together && group.length > 1 ? [group] : [] })
    })

/** Says whether records of the definitions can be made, which circles of required references prevent. */
const isPossible = (definitions: readonly ResourceDefinition[]): boolean => {
  try {
    modelOf(...definitions)
    return true
  } catch (error) {
    if (error instanceof DefinitionError) return false
    throw error
  }
}

const model: fc.Arbitrary<Registry> = fc
  .tuple(...names.map(oneResource))
  .filter(isPossible)
  .map(definitions => modelOf(...definitions))

const cellOf = (type: ColumnType, place: number, dialect: (typeof dialects)[number]): string => {
  if (type === 'integer') return String(place)
  if (type === 'boolean') return dialect === 'sqlite' ? '1' : 'true'
  if (type === 'timestamp') return "'2024-01-01T00:00:00.000Z'"
  return type === 'json' ? `'["b"]'` : `'T${place}'`
}

/** A few records for each table that can have them without those of others; of two, one has what it must. */
const rowsFor = (table: Table, dialect: (typeof dialects)[number]): string => {
  if (table.columns.some(column => column.references && column.required)) return ''
  return [1, 2, 3]
    .map(place => {
      const columnsToFill = table.columns.filter(column => !column.references && (column.required || place % 2 === 1))
      const cells = columnsToFill.map(column => cellOf(column.type, place, dialect))
      const columns = columnsToFill.map(column => quote(column.name)).join(', ')
      return `INSERT INTO ${quote(table.name)} (${columns}) VALUES (${cells.join(', ')}) ON CONFLICT DO NOTHING;`
    })
    .join('\n')
}

const countsOf = async (driver: Driver): Promise<unknown[]> => {
  const counts: unknown[] = []
  for (const name of names) counts.push((await driver.rows(`SELECT count(*) FROM ${quote(name)}`, []))[0]?.[0])
  return counts
}

describe.each(dialects)('on %s', dialect => {
  test('whatever the models, a plan that refuses nothing succeeds, keeps every record and leaves nothing to do', async () => {
    const property = fc.asyncProperty(fc.array(model, { minLength: 2, maxLength: 5 }), flag, async (models, filled) => {
      const database = await createTestDatabase(dialect)
      const driver = await database.open()
      try {
        let applied = 0
        for (const registry of models) {
          if ((await planMigration(driver, registry)).refused.length > 0) continue
          const before = applied > 0 ? await countsOf(driver) : names.map(() => 0)
          await migrate(driver, registry)
          applied += 1
          expect(await countsOf(driver)).toEqual(before)
          expect(await planMigration(driver, registry)).toMatchObject({ steps: [], refused: [] })
          for (const table of filled ? tablesOf(registry) : []) await driver.script(rowsFor(table, dialect))
        }
        expect(applied).toBeGreaterThan(0)
      } finally {
        await database.remove()
      }
    })
    await checkProperty(property, { runs: dialect === 'sqlite' ? extent(20, 40) : extent(6, 20), endOnFailure: true })
  })
})
