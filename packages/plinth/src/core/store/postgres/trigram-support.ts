// Whether PostgreSQL can index trigrams.

import type { Connection } from '../connection.ts'
import type { TrigramSupport } from '../migrate/schema-dialect.ts'

const trigramFaults: Readonly<Record<string, string>> = {
  folding: 'the server has no collations of ICU, or the database is not in UTF8',
  hidden: 'the extension pg_trgm is in a schema that is not in the search path',
  missing: 'the extension pg_trgm is not installed, and this role cannot create it',
}

// A trusted extension can be created by any role with the CREATE privilege on the database.
const trigramQuery = `SELECT CASE
    WHEN getdatabaseencoding() <> 'UTF8' OR NOT EXISTS (SELECT FROM pg_collation WHERE collname = 'und-x-icu') THEN 'folding'
    WHEN EXISTS (SELECT FROM pg_opclass WHERE opcname = 'gin_trgm_ops' AND pg_opclass_is_visible(oid)) THEN 'ready'
    WHEN EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') THEN 'hidden'
    WHEN EXISTS (SELECT FROM pg_available_extension_versions v, pg_roles r
      WHERE v.name = 'pg_trgm' AND r.rolname = current_user
        AND (r.rolsuper OR NOT v.superuser OR v.trusted)
        AND (r.rolsuper OR has_database_privilege(current_database(), 'CREATE'))) THEN 'creatable'
    ELSE 'missing' END`

export const trigramSupport = async (connection: Connection): Promise<TrigramSupport> => {
  const [row] = await connection.rows(trigramQuery, [])
  const found = String(row?.[0])
  if (found === 'ready') return { kind: 'ready' }
  const step = { why: 'pg_trgm: for substring search', sql: 'CREATE EXTENSION IF NOT EXISTS "pg_trgm";' }
  return found === 'creatable' ? { kind: 'creatable', step } : { kind: 'missing', why: trigramFaults[found] ?? found }
}
