// The resources of the service as it is configured by default.

import { tmpdir } from 'node:os'
import { createModel } from '../packages/plinth/src/app/model.ts'
import { modulesFor } from '../packages/plinth/src/app.ts'
import { loadConfig } from '../packages/plinth/src/config.ts'
import type { Resource } from '../packages/plinth/src/core/model/resource.ts'

export const publishedResources = (): readonly Resource[] => {
  const config = loadConfig({ env: {}, cwd: tmpdir() })
  const { registry } = createModel(modulesFor(config), config, () => new Date())
  return registry.resources.filter(({ definition }) => !definition.internal)
}
