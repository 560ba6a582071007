// PostgreSQL as one of the databases. Its driver is loaded by services that use it.

import type { Database } from '../driver.ts'
import { diagnosePostgres } from './diagnose.ts'

export const postgresDatabase: Database = {
  name: 'postgres',
  accepts: url => /^postgres(ql)?:/.test(url),
  open: async (url, limits) => (await import('./driver.ts')).openPostgres(url, limits),
  diagnose: diagnosePostgres,
}
