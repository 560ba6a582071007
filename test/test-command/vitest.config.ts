// The configuration of all tests, with other files.

import { defineConfig, mergeConfig } from 'vitest/config'
import whole from '../../vitest.config.ts'

const { include: _, ...test } = whole.test ?? {}

export default mergeConfig(defineConfig({ test }), { test: { include: ['test/test-command/*ing.ts'] } })
