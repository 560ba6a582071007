// The hooks, forms and calls of the pages, typed by the application.

import { hooksFor } from '@plinth/web'
import type { SchemaOf } from 'plinth'
import type app from '../../../plinth.config.ts'

export const { useRecords, useEndpoint, RecordForm, EndpointForm } = hooksFor<SchemaOf<typeof app>>()
