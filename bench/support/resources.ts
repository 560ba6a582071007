// The resources of the service as it is configured by default.

import { tmpdir } from 'node:os'
import { codeContextOf } from '@plinth/test-kit/code-context'
import { loadConfig, modulesFor } from '@plinth/test-kit/platform'
import { createModel } from '../../packages/plinth/src/app/model.ts'
import type { Resource } from '../../packages/plinth/src/core/model/resource.ts'

export const publishedResources = (): readonly Resource[] => {
  const config = loadConfig({ env: {}, cwd: tmpdir() })
  const { registry } = createModel(modulesFor(config), {
    config,
    clock: () => new Date(),
    codeContexts: () => codeContextOf(config),
  })
  return registry.resources.filter(({ definition }) => !definition.internal)
}
