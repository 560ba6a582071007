import { defineModule } from '../../core/module.ts'
import { hostFault, hosts } from './hosts.ts'
import { hostOrigins, originsSeed } from './origins.ts'

export { createHostOrigins } from './origins.ts'

export const hostsModule = defineModule({
  name: 'hosts',
  title: { de: 'Hosts' },
  about: 'Hosts, whose names are allowed origins.',
  faults: hostFault.table,
  resources: [hosts, hostOrigins],
  seeds: [originsSeed],
})
