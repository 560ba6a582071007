// The context of code that a test calls itself.

import { createLogs } from '../../plinth/src/core/log/logs.ts'
import { type CodeContext, createCodeContexts } from '../../plinth/src/core/model/code-context.ts'
import type { Config } from './platform.ts'

export const codeContextOf = (config: Config): CodeContext =>
  createCodeContexts(config.get, createLogs({ level: 'silent', levels: {}, secrets: [], sink: 'stderr' }))('test')
