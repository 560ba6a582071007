// The service without its optional modules: what these tests look at does not need them.

import type { TestedDatabase } from '@plinth/test-kit/databases'
import { type ServiceOptions, startService, type TestService } from '@plinth/test-kit/service'

export const startAccounts = (database: TestedDatabase, options: ServiceOptions = {}): Promise<TestService> =>
  startService(database, { ...options, settings: { 'app.modules': '', ...options.settings } })
