// Settings of the API: limits on requests, access rules and the event log.

import { integer, text } from '../model/fields.ts'
import { defineSettings } from './settings.ts'

export const apiSettings = defineSettings('app.api', {
  maxPageSize: integer({ default: 500, min: 1, max: 10_000, about: 'The largest page size.' }),
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
    about: 'The largest collection that `page=no` returns.',
  }),
  maxQueryCost: integer({
    default: 10_000_000,
    min: 1000,
    max: 1_000_000_000_000,
    about:
      'The estimated cost that a query may have, about one for each row that the database visits; beyond, 400 `too_costly`.',
  }),
  maxAnonymousQueryCost: integer({
    default: 1_000_000,
    min: 1000,
    max: 1_000_000_000_000,
    about: 'The same for callers without credentials.',
  }),
  exactTotalLimit: integer({
    default: 10_000,
    min: 0,
    max: 1_000_000_000,
    about: 'Up to how many matching records the total of a page is exact; beyond, it is an estimate.',
  }),
  queryTimeout: integer({
    default: 5,
    min: 1,
    max: 3600,
    about: 'After how many seconds a search is cancelled, with 503 `query_timeout`.',
  }),
  maxBodyBytes: integer({ default: 1_048_576, min: 1024, max: 1_073_741_824, about: 'The largest request body.' }),
  idempotencyHours: integer({
    default: 24,
    min: 1,
    max: 8760,
    about: 'For how many hours the response to a request with an `Idempotency-Key` is kept.',
  }),
  maxEventLoopLag: integer({
    default: 500,
    min: 0,
    max: 60_000,
    about:
      'How many milliseconds the event loop may lag, on average, before requests are refused with 503 `overloaded`; 0 never refuses.',
  }),
})

export const rateLimitSettings = defineSettings('app.api.rateLimit', {
  anonymousRequests: integer({
    default: 3000,
    min: 0,
    max: 1_000_000_000,
    about:
      'How many requests without credentials one address, or one /64 of IPv6, may make in a minute, at each instance; 0 is without limit.',
  }),
  anonymousCost: integer({
    default: 100_000_000,
    min: 0,
    max: 1_000_000_000,
    about: 'How much these requests may cost in a minute, in the unit of `app.api.maxQueryCost`; 0 is without limit.',
  }),
  requests: integer({
    default: 0,
    min: 0,
    max: 1_000_000_000,
    about: 'How many requests one user or one API key may make in a minute, at each instance; 0 is without limit.',
  }),
  cost: integer({
    default: 0,
    min: 0,
    max: 1_000_000_000,
    about: 'How much these requests may cost in a minute, in the unit of `app.api.maxQueryCost`; 0 is without limit.',
  }),
})

export const eventSettings = defineSettings('app.events', {
  keepHours: integer({
    default: 24,
    min: 1,
    max: 8760,
    about: 'How many hours events are kept for subscribers that reconnect.',
  }),
  maxRows: integer({ default: 1_000_000, min: 1000, max: 1_000_000_000, about: 'How many events are kept at most.' }),
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
