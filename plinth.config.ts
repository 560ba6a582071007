// The application of this repository: the standard modules with a film rental store and memberships in business networks.

import { membership } from '@plinth/membership'
import { rental } from '@plinth/rental'
import { defineApp } from 'plinth'

// The interface that this platform keeps identifies itself so. The packages have versions of their own.
export default defineApp({ name: 'Plinth', version: '2.1.2-SNAPSHOT', modules: [rental, membership] })
