import { defineModule } from '../../core/module.ts'
import { hostFault, hostOrigins, hosts, originsSeed } from './hosts.ts'

export { createHostOrigins } from './hosts.ts'

export const hostsModule = defineModule({
  name: 'hosts',
  title: { de: 'Hosts' },
  about: {
    en: 'Hosts, whose names are allowed origins.',
    de: 'Hosts, deren Namen erlaubte Origins sind.',
  },
  faults: hostFault.table,
  resources: [hosts, hostOrigins],
  seeds: [originsSeed],
})
