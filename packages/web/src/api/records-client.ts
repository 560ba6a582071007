// The client library on the connection of the web client: records and endpoints that are known by name alone.

import { createClientOn } from '@plinth/client'
import { client } from './client.ts'

export const plinth = createClientOn(client)
