// The service without its optional modules: what these tests look at does not need them.

import type { Database } from '../support/databases.ts'
import { type ServiceOptions, startService, type TestService } from '../support/service.ts'

export const startAccounts = (database: Database, options: ServiceOptions = {}): Promise<TestService> =>
  startService(database, { ...options, settings: { 'app.modules': '', ...options.settings } })
