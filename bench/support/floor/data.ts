// What the bare floor reads and writes, and the columns of it.

export interface Label {
  readonly pk: string
  readonly name: string
}

interface Kept {
  readonly pk: string
  readonly name: string
  readonly createdDate: string
  readonly lastModifiedDate: string
  readonly version: number
}

export interface Country extends Kept {
  readonly nativeName: string
  readonly callingCode: string
  readonly capital: string
  readonly currency: string
  readonly languages: readonly string[]
  readonly parent: Label
  readonly path: string
  readonly pathLevel: number
}

export interface FloorLocality extends Kept {
  readonly parent: Label | Country
  readonly path: string
  readonly pathLevel: number
}

export interface Host extends Kept {
  readonly description: string
  readonly country: Label
}

export interface NewHost {
  readonly pk: string
  readonly name: string
  readonly description: string
  readonly country: string
  readonly now: string
}

export interface FloorListing {
  /** Localities whose name begins with it or has it anywhere, or those of one parent. */
  readonly by: 'name' | 'part' | 'parent'
  readonly value: string
  readonly size: number
  readonly includesParent: boolean
}

export interface FloorPage {
  readonly rows: readonly FloorLocality[]
  readonly total: number
}

export interface FloorData {
  one(pk: string): Promise<FloorLocality | undefined> | FloorLocality | undefined
  page(listing: FloorListing): Promise<FloorPage> | FloorPage
  create(host: NewHost): Promise<Host> | Host
  update(pk: string, description: string, now: string): Promise<Host | undefined> | Host | undefined
  close(): Promise<void> | void
}

export const localityColumns =
  'l."pk", l."name", l."parent" AS "parentPk", c."name" AS "parentName", l."path", l."pathLevel", l."createdDate", l."lastModifiedDate", l."version"'

export const localityTables = '"localities" l LEFT JOIN "countries" c ON c."pk" = l."parent"'

const countryFields = [
  ...['nativeName', 'callingCode', 'capital', 'currency', 'languages', 'path', 'pathLevel'],
  ...['createdDate', 'lastModifiedDate', 'version'],
]

export const includedColumns = `${localityColumns}, ${countryFields.map(name => `c."${name}" AS "c_${name}"`).join(', ')}, k."pk" AS "continentPk", k."name" AS "continentName"`

export const includedTables = `${localityTables} LEFT JOIN "continents" k ON k."pk" = c."parent"`

/** A column as the driver gives it. */
type Row = Readonly<Record<string, unknown>>

const isoOf = (time: unknown): string => (time instanceof Date ? time.toISOString() : String(time))

export const toLocality = (row: Row): FloorLocality => ({
  pk: String(row.pk),
  name: String(row.name),
  parent: 'continentPk' in row ? toCountry(row) : { pk: String(row.parentPk), name: String(row.parentName) },
  path: String(row.path),
  pathLevel: Number(row.pathLevel),
  createdDate: isoOf(row.createdDate),
  lastModifiedDate: isoOf(row.lastModifiedDate),
  version: Number(row.version),
})

const toCountry = (row: Row): Country => ({
  pk: String(row.parentPk),
  name: String(row.parentName),
  nativeName: String(row.c_nativeName),
  callingCode: String(row.c_callingCode),
  capital: String(row.c_capital),
  currency: String(row.c_currency),
  languages: typeof row.c_languages === 'string' ? JSON.parse(row.c_languages) : row.c_languages,
  parent: { pk: String(row.continentPk), name: String(row.continentName) },
  path: String(row.c_path),
  pathLevel: Number(row.c_pathLevel),
  createdDate: isoOf(row.c_createdDate),
  lastModifiedDate: isoOf(row.c_lastModifiedDate),
  version: Number(row.c_version),
})

export const toHost = (row: Row): Host => ({
  pk: String(row.pk),
  name: String(row.name),
  description: String(row.description),
  country: { pk: String(row.country), name: String(row.countryName) },
  createdDate: isoOf(row.createdDate),
  lastModifiedDate: isoOf(row.lastModifiedDate),
  version: Number(row.version),
})

/** The runs of three characters of a text, which the index on any part of names has. */
export const trigramsOf = (text: string): readonly string[] =>
  Array.from({ length: text.length - 2 }, (_, at) => text.slice(at, at + 3))

/** A host stands for the origin of its name, which is stored with it. */
export const originOf = (name: string): string => `https://${name}`
