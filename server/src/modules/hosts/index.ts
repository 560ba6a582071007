import { defineModule } from '../../core/module.ts'
import { hostFault, hosts } from './hosts.ts'
import { hostOrigins, originsSeed } from './origins.ts'

export { createHostOrigins } from './origins.ts'

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
