// Rentals of five years, put straight into the tables that the service has made.

import postgres from 'postgres'
import { openSqlite } from '../support/open-sqlite.ts'
import { size } from '../support/size.ts'

export const scale = {
  customers: size('BENCH_CUSTOMERS', 5000, 50),
  copies: size('BENCH_COPIES', 20_000, 200),
  rentals: size('BENCH_RECORDS', 1_000_000, 5000),
}

/** The seconds between two rentals. */
const step = (5 * 365 * 24 * 3600) / scale.rentals

/** The texts differ in how the databases make series, dates and padded numbers. */
interface Words {
  readonly series: (count: number) => string
  readonly hex: (number: string, width: number) => string
  /** Returns the time that many seconds before the fixed end of the years. */
  readonly ago: (seconds: string) => string
  readonly flag: (value: boolean) => string
}

const end = '2024-06-30 12:00:00'

const words: Readonly<Record<'sqlite' | 'postgres', Words>> = {
  sqlite: {
    series: count =>
      `WITH RECURSIVE series(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM series WHERE i < ${count - 1}) `,
    hex: (number, width) => `printf('%0${width}x', ${number})`,
    ago: seconds => `strftime('%Y-%m-%dT%H:%M:%fZ', '${end}', '-' || CAST(${seconds} AS TEXT) || ' seconds')`,
    flag: value => (value ? '1' : '0'),
  },
  postgres: {
    series: count => `WITH series AS (SELECT i FROM generate_series(0::bigint, ${count - 1}) AS s(i)) `,
    hex: (number, width) => `lpad(to_hex((${number})::bigint), ${width}, '0')`,
    ago: seconds => `'${end}Z'::timestamptz - (${seconds}) * interval '1 second'`,
    flag: value => String(value),
  },
}

const statements = (dialect: 'sqlite' | 'postgres'): readonly string[] => {
  const { series, hex, ago, flag } = words[dialect]
  const pk = (kind: number, number: string) => `'0190${kind}000-0000-7000-8000-' || ${hex(number, 12)}`
  const stamps = `${ago('0')}, ${ago('0')}, 1`
  const insert = (table: string, columns: string, values: string, count: number) => {
    const named = columns.split(' ').map(column => `"${column}"`)
    const target = `INSERT INTO "${table}" (${named.join(', ')}, "createdDate", "lastModifiedDate", "version")`
    const source = `SELECT ${values}, ${stamps} FROM series`
    // SQLite wants the series before the INSERT, PostgreSQL takes it there as well.
    return `${series(count)}${target} ${source}`
  }
  const { customers, copies, rentals } = scale
  const isOpen = `i >= ${rentals - copies}`
  const rentedAgo = `(${rentals} - i) * ${step}`
  const days = '(1 + i % 14)'
  const copy = pk(2, `i % ${copies}`)
  const film = `'00000000-0000-7000-a004-' || ${dialect === 'sqlite' ? "printf('%012d', i % 200)" : "lpad((i % 200)::text, 12, '0')"}`
  const username = dialect === 'sqlite' ? "'customer' || i" : "'customer' || i::text"
  return [
    insert(
      'users',
      'pk username username_folded name active',
      `${pk(1, 'i')}, ${username}, ${username}, ${username}, ${flag(true)}`,
      customers,
    ),
    insert(
      'filmInventoryEntries',
      'pk film status available',
      `${pk(2, 'i')}, ${film}, 'good', ${flag(false)}`,
      copies,
    ),
    insert(
      'rentals',
      'pk customer inventory rentalDate days dueDate returnDate openCopy voided initialPrice daysFree dailyPrice bonusPoints currency',
      `${pk(3, 'i')}, ${pk(1, `(i * 7919) % ${customers}`)}, ${copy}, ${ago(rentedAgo)}, ${days}, ` +
        `${ago(`${rentedAgo} - ${days} * 86400`)}, CASE WHEN ${isOpen} THEN NULL ELSE ${ago(`${rentedAgo} - 3 * 86400`)} END, ` +
        `CASE WHEN ${isOpen} THEN ${copy} END, ${flag(false)}, 3000, 3, 3000, 1, 'EUR'`,
      rentals,
    ),
  ]
}

export const fillRentals = async (url: string): Promise<void> => {
  if (url.startsWith('postgres')) {
    const sql = postgres(url, { max: 1, onnotice: () => {} })
    for (const statement of statements('postgres')) await sql.unsafe(statement)
    await sql.unsafe('VACUUM ANALYZE')
    await sql.end()
    return
  }
  const db = openSqlite(url)
  // The indexes grow in all places at once: with a small cache each row would cost several pages.
  db.exec('PRAGMA cache_size = -400000; PRAGMA synchronous = OFF')
  for (const statement of statements('sqlite')) db.exec(statement)
  db.close()
}

const pkOf = (kind: number, number: number): string =>
  `0190${kind}000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`

export const customerPk = (number: number): string => pkOf(1, number % scale.customers)
export const rentalPk = (number: number): string => pkOf(3, number % scale.rentals)

/** A moment of the five years, `part` of the way from their beginning. */
export const momentAt = (part: number): Date =>
  new Date(Date.parse(`${end.replace(' ', 'T')}Z`) - (1 - part) * scale.rentals * step * 1000)
