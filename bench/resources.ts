// The resources of the service as it is configured by default.

import { tmpdir } from 'node:os'
import { createModel } from '../server/src/app/model.ts'
import { modulesFor } from '../server/src/app.ts'
import { loadConfig } from '../server/src/config.ts'
import type { Resource } from '../server/src/core/model/resource.ts'

export const publishedResources = (): readonly Resource[] => {
  const config = loadConfig({ env: {}, cwd: tmpdir() })
  const { registry } = createModel(modulesFor(config), config, () => new Date())
  return registry.resources.filter(({ definition }) => !definition.internal)
}
