// The client library, typed by the module, and the records that these pages show.

import type { RecordOf } from '@plinth/client'
import { hooksFor } from '@plinth/web'
import type { SchemaOf, users } from 'plinth'
import type { rental } from '../src/index.ts'

export type CounterSchema = SchemaOf<{ modules: [typeof rental, { resources: [typeof users] }] }>

export const { client } = hooksFor<CounterSchema>()

export type CounterPayment = RecordOf<CounterSchema, 'payments'>
export type CounterRental = RecordOf<CounterSchema, 'rentals', never, 'inventory'>
