import { defineModule } from '../../core/module.ts'
import { roles } from './roles.ts'
import { demoUsersSeed, rolesSeed } from './seed.ts'
import { users } from './users.ts'

export { identifyDemoCaller } from './demo-caller.ts'

export const accounts = defineModule({
  name: 'accounts',
  about: 'Users, their roles and their ways to sign in.',
  resources: [roles, users],
  seeds: [rolesSeed, demoUsersSeed],
})
