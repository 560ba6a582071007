// Settings of the API: limits on requests, access rules and the event log.

import { boolean, integer, text } from '../model/fields.ts'
import { defineSettings } from './settings.ts'

/** The settings below `app.api`: limits on requests, queries and pages. */
export const apiSettings = defineSettings('app.api', {
  maxPageSize: integer({ default: 500, min: 1, max: 10_000, about: 'The maximum page size.' }),
  firstPage: integer({
    default: 0,
    min: 0,
    max: 1,
    about:
      'The number of the first page in `page[number]`: 0, or 1 for clients that count from 1. `_pn` counts from 0.',
  }),
  maxFullCollection: integer({
    default: 10_000,
    min: 1,
    max: 10_000_000,
    about: 'The maximum number of records that `page=no` returns.',
  }),
  maxQueryCost: integer({
    default: 10_000_000,
    min: 1000,
    max: 1_000_000_000_000,
    about:
      'The maximum estimated cost of a query, about 1 per row that the database reads; above it, 400 `too_costly`.',
  }),
  maxExportCost: integer({
    default: 1_000_000_000,
    min: 1000,
    max: 1_000_000_000_000,
    about:
      'The maximum estimated cost of the records of an export, in the same unit: a record costs about 1 for each of its fields, and more for related records. Finding and sorting the records counts towards `app.api.maxQueryCost`.',
  }),
  maxAnonymousQueryCost: integer({
    default: 1_000_000,
    min: 1000,
    max: 1_000_000_000_000,
    about: 'The maximum estimated cost of a query or an export without credentials.',
  }),
  exactTotalLimit: integer({
    default: 10_000,
    min: 0,
    max: 1_000_000_000,
    about: 'Totals are exact up to this number of matching records, and estimated beyond it.',
  }),
  queryTimeout: integer({
    default: 5,
    min: 1,
    max: 3600,
    about: 'Seconds until a search is cancelled with 503 `query_timeout`.',
  }),
  endpointTimeout: integer({
    default: 60,
    min: 1,
    max: 86_400,
    about:
      'Seconds the handler of an endpoint of a module may take before it fails with 503 `execution_timeout`, unless the endpoint has a timeout of its own.',
  }),
  maxBodyBytes: integer({
    default: 1_048_576,
    min: 1024,
    max: 1_073_741_824,
    about: 'The maximum size of a request body.',
  }),
  strictBodies: boolean({
    default: false,
    about:
      'Unknown fields in the body of a request are errors: 400 `invalid`. Otherwise they are ignored, except in JSON:API.',
  }),
  problemBodies: boolean({
    default: false,
    about:
      'The responses 401, 403 and 404 have a problem as their body for every caller. Otherwise only for those whose `Accept` names `application/problem+json`.',
  }),
  idempotencyHours: integer({
    default: 24,
    min: 1,
    max: 8760,
    about: 'Hours for which the response to a request with an `Idempotency-Key` is kept.',
  }),
  maxEventLoopLag: integer({
    default: 500,
    min: 0,
    max: 60_000,
    about:
      'The processor time, in milliseconds, that the requests in hand may need together. Beyond it, for some seconds, further requests get 503 `overloaded`; 0 turns this off.',
  }),
})

export const rateLimitSettings = defineSettings('app.api.rateLimit', {
  anonymousRequests: integer({
    default: 3000,
    min: 0,
    max: 1_000_000_000,
    about:
      'Rate limit without credentials: requests per minute for each IP address (IPv6: each /64; a /56 has 4 times this limit, a /48 16 times), per instance; 0 is unlimited.',
  }),
  anonymousCost: integer({
    default: 100_000_000,
    min: 0,
    max: 1_000_000_000,
    about: 'The total cost of these requests per minute, in the unit of `app.api.maxQueryCost`; 0 is unlimited.',
  }),
  requests: integer({
    default: 0,
    min: 0,
    max: 1_000_000_000,
    about: 'Rate limit with credentials: requests per minute for each user or API key, per instance; 0 is unlimited.',
  }),
  cost: integer({
    default: 200_000_000,
    min: 0,
    max: 1_000_000_000,
    about: 'The total cost of these requests per minute, in the unit of `app.api.maxQueryCost`; 0 is unlimited.',
  }),
})

export const eventSettings = defineSettings('app.events', {
  keepHours: integer({
    default: 24,
    min: 1,
    max: 8760,
    about: 'Hours for which events are kept for subscribers that reconnect.',
  }),
  maxRows: integer({
    default: 1_000_000,
    min: 1000,
    max: 1_000_000_000,
    about: 'The maximum number of events that are kept.',
  }),
})

export const accessSettings = defineSettings('app.access.<resource>', {
  '<operation>': text({
    min: 1,
    max: 10_000,
    about:
      'An access rule that replaces the one in the definition; the operation is `read`, `create`, `replace`, `patch`, `delete`, `update` or `write`.',
  }),
})

export const apiSettingGroups = [apiSettings, rateLimitSettings, eventSettings, accessSettings]
