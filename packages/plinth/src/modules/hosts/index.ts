import { defineModule } from '../../core/module.ts'
import { hostFault, hostOrigins, hosts, originsSeed } from './hosts.ts'

export { createHostOrigins } from './hosts.ts'

export const hostsModule = defineModule({
  name: 'hosts',
  title: { de: 'Hosts' },
  about: {
    en: 'Hosts, whose names are allowed CORS origins.',
    de: 'Hosts, deren Namen erlaubte CORS-Origins sind.',
  },
  faults: hostFault.table,
  resources: [hosts, hostOrigins],
  seeds: [originsSeed],
})
