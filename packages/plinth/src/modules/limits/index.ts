import { defineModule } from '../../core/module.ts'
import { expires } from '../../core/rest/jobs.ts'
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

export const limits = defineModule({
  name: 'limits',
  about: {
    en: 'How often things happen that may not happen too often.',
    de: 'Wie oft etwas geschieht, das nicht zu oft geschehen darf.',
  },
  resources: [throttleCounters],
  sweeps: [expires(throttleCounters, ({ now }) => ({ until: { le: now } }))],
})
