// Writes rows of an index of words over those that have the same key.

import type { Cell, Connection } from '../connection.ts'
import { quote } from '../sql/columns.ts'
import type { Dialect } from '../sql/dialect.ts'

export interface WrittenTable {
  readonly name: string
  readonly keys: readonly string[]
  /** The columns in their order, those of the key first, with what they hold. */
  readonly columns: Readonly<Record<string, 'text' | 'integer' | 'bytes'>>
}

export interface Upserted {
  readonly connection: Pick<Connection, 'rows'>
  readonly dialect: Pick<Dialect, 'search' | 'placeholder' | 'list' | 'columnRows'>
}

type Row = readonly Cell[]

/** The rows of one statement, where several go into one. */
const rowsAtOnce = 1000

/** `isLast`: nothing follows in the transaction. */
export const upsertRows = async (
  { connection, dialect }: Upserted,
  table: WrittenTable,
  { rows, isLast = false }: { readonly rows: readonly Row[]; readonly isLast?: boolean },
): Promise<void> => {
  const { list, columnRows, placeholder } = dialect
  const types = Object.values(table.columns)
  const into = intoSql(table)
  if (!columnRows) {
    const values = types.map((_, at) => placeholder(at + 1))
    const sql = into(`VALUES (${values.join(', ')})`)
    for (const [at, row] of rows.entries())
      await connection.rows(sql, row, false, { isLast: isLast && at === rows.length - 1 })
    return
  }
  const names = types.map((_, at) => `c${at}`)
  const selected = types.map((type, at) => (type === 'bytes' ? dialect.search.bytesOf(`d.c${at}`) : `d.c${at}`))
  const columns = types.map(type => (type === 'integer' ? type : 'text'))
  const sql = into(`SELECT ${selected.join(', ')} FROM ${columnRows(columns)} AS d(${names.join(', ')}) WHERE TRUE`)
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const some = rows.slice(from, from + rowsAtOnce)
    const cells = columns.map((type, at) =>
      list(
        some.map(row => textOfBytes(row[at] ?? null)),
        type,
      ),
    )
    await connection.rows(sql, cells, false, { isLast: isLast && from + rowsAtOnce >= rows.length })
  }
}

const intoSql =
  ({ name, keys, columns }: WrittenTable) =>
  (values: string): string => {
    const names = Object.keys(columns)
    const changed = names.filter(one => !keys.includes(one)).map(one => `${quote(one)} = excluded.${quote(one)}`)
    return (
      `INSERT INTO ${quote(name)} (${names.map(quote).join(', ')}) ${values} ` +
      `ON CONFLICT (${keys.map(quote).join(', ')}) DO UPDATE SET ${changed.join(', ')}`
    )
  }

const textOfBytes = (cell: Cell): Cell =>
  cell instanceof Uint8Array ? Buffer.from(cell.buffer, cell.byteOffset, cell.length).toString('hex') : cell
