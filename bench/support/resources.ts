// The resources of the service as it is configured by default.

import { tmpdir } from 'node:os'
import { createModel } from '../../packages/plinth/src/app/model.ts'
import type { Resource } from '../../packages/plinth/src/core/model/resource.ts'
import { loadConfig, modulesFor } from '../../packages/plinth/test/support/platform.ts'

export const publishedResources = (): readonly Resource[] => {
  const config = loadConfig({ env: {}, cwd: tmpdir() })
  const { registry } = createModel(modulesFor(config), config, () => new Date())
  return registry.resources.filter(({ definition }) => !definition.internal)
}
