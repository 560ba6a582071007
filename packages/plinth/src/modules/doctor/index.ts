// The doctor looks for what is wrong with an installation, and says what to do about it: on the command line and in management.

import { defineModule } from '../../core/module.ts'
import { doctorCommands } from './command.ts'
import { doctorEndpoint } from './endpoint.ts'

export const doctor = defineModule({
  name: 'doctor',
  title: { de: 'Prüfung' },
  about: { en: 'Checks of the installation.', de: 'Prüfungen der Installation.' },
  resources: [],
  commands: doctorCommands,
  endpoints: service => [doctorEndpoint(service)],
})
