import { defineModule } from '../../core/module.ts'
import { removeInBatches, repeatedly } from '../../core/rest/background.ts'
import type { Service } from '../../core/rest/service.ts'
import { throttleCounters } from './counters.ts'

export {
  type Counter,
  changeCounter,
  type Event,
  holdCounter,
  raise,
  readCounter,
  type Span,
  tooMany,
} from './counters.ts'

const pause = 3600_000

const forgetOld = ({ platform: { records, clock } }: Service, signal: AbortSignal): Promise<void> =>
  removeInBatches(records, throttleCounters, { where: { until: { le: clock().toISOString() } }, signal })

export const limits = defineModule({
  name: 'limits',
  about: {
    en: 'How often things happen that may not happen too often.',
    de: 'Wie oft etwas geschieht, das nicht zu oft geschehen darf.',
  },
  resources: [throttleCounters],
  start: async service =>
    repeatedly(service, { name: 'removing old counters', pause, round: signal => forgetOld(service, signal) }),
})
