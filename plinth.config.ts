// The application of this repository: the standard modules with a film rental store and memberships in business networks.

import { membership } from '@plinth/membership'
import { rental } from '@plinth/rental'
import { defineApp } from 'plinth'

export default defineApp({ name: 'Plinth', modules: [rental, membership] })
