// What a database needs beyond its own for some of the indexes.

import type { Connection } from '../driver.ts'
import type { DialectName } from '../migrate/ddl.ts'
import type { Step } from '../migrate/plan.ts'

/** How the operators for trigrams come to be; `why` they cannot. */
export type TrigramSupport =
  | { readonly kind: 'ready' }
  | { readonly kind: 'creatable'; readonly step: Step }
  | { readonly kind: 'missing'; readonly why: string }

const reasons: Readonly<Record<string, string>> = {
  folding: 'the server has no collations of ICU, or the database is not in UTF8',
  hidden: 'the extension pg_trgm is in a schema that is not in the search path',
  missing: 'the extension pg_trgm is not there, and this role cannot create it',
}

// A trusted extension can be created by any role with the CREATE privilege on the database.
const query = `SELECT CASE
    WHEN getdatabaseencoding() <> 'UTF8' OR NOT EXISTS (SELECT FROM pg_collation WHERE collname = 'und-x-icu') THEN 'folding'
    WHEN EXISTS (SELECT FROM pg_opclass WHERE opcname = 'gin_trgm_ops' AND pg_opclass_is_visible(oid)) THEN 'ready'
    WHEN EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') THEN 'hidden'
    WHEN EXISTS (SELECT FROM pg_available_extension_versions v, pg_roles r
      WHERE v.name = 'pg_trgm' AND r.rolname = current_user
        AND (r.rolsuper OR NOT v.superuser OR v.trusted)
        AND (r.rolsuper OR has_database_privilege(current_database(), 'CREATE'))) THEN 'creatable'
    ELSE 'missing' END`

export const trigramSupport = async (connection: Connection, dialect: DialectName): Promise<TrigramSupport> => {
  if (dialect === 'sqlite') return { kind: 'ready' }
  const [row] = await connection.rows(query, [])
  const found = String(row?.[0])
  if (found === 'ready') return { kind: 'ready' }
  const step = { why: 'pg_trgm: for searches by a part of a text', sql: 'CREATE EXTENSION IF NOT EXISTS "pg_trgm";' }
  return found === 'creatable' ? { kind: 'creatable', step } : { kind: 'missing', why: reasons[found] ?? found }
}
