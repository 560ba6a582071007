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
    en: 'Rate limits that all instances share.',
    de: 'Ratenbegrenzungen, die für alle Instanzen gelten.',
  },
  resources: [throttleCounters],
  sweeps: [expires(throttleCounters, ({ now }) => ({ until: { le: now } }))],
})
