// What callers may ask for, and how far their requests may go.

import { integer, text } from '../kinds.ts'
import { named, setting } from '../load.ts'

export const apiSettings = {
  'app.api.maxPageSize': setting({
    is: integer(1, 10_000),
    default: 500,
    meaning: 'The largest page that a caller may ask for.',
  }),
  'app.api.firstPage': setting({
    is: integer(0, 1),
    default: 0,
    meaning:
      'The number of the first page in `page[number]`: 0, or 1 for clients that count from 1. `_pn` counts from 0.',
  }),
  'app.api.maxFullCollection': setting({
    is: integer(1, 10_000_000),
    default: 10_000,
    meaning: 'The largest collection that `page=no` answers whole.',
  }),
  'app.api.maxQueryCost': setting({
    is: integer(1000, 1_000_000_000_000),
    default: 10_000_000,
    meaning:
      'What a query may cost by estimate, about one for each row that the database visits; beyond it 400 `too_costly`.',
  }),
  'app.api.maxAnonymousQueryCost': setting({
    is: integer(1000, 1_000_000_000_000),
    default: 1_000_000,
    meaning: 'The same for callers without credentials.',
  }),
  'app.api.exactTotalLimit': setting({
    is: integer(0, 1_000_000_000),
    default: 10_000,
    meaning: 'Up to how many matching records the total of a page is exact; of more it is an estimate.',
  }),
  'app.api.queryTimeout': setting({
    is: integer(1, 3600),
    default: 5,
    meaning: 'After how many seconds a search is ended, with 503 `query_timeout`.',
  }),
  'app.api.maxBodyBytes': setting({
    is: integer(1024, 1_073_741_824),
    default: 1_048_576,
    meaning: 'The largest request body.',
  }),
  'app.api.idempotencyHours': setting({
    is: integer(1, 8760),
    default: 24,
    meaning: 'For how many hours the response to a request with an `Idempotency-Key` is kept.',
  }),
  'app.api.rateLimit.anonymousRequests': setting({
    is: integer(0, 1_000_000_000),
    default: 3000,
    meaning:
      'How many requests without credentials one address, or one /64 of IPv6, may make in a minute, at each instance; 0 is without limit.',
  }),
  'app.api.rateLimit.anonymousCost': setting({
    is: integer(0, 1_000_000_000),
    default: 100_000_000,
    meaning: 'How much these requests may cost in a minute, in the unit of `app.api.maxQueryCost`; 0 is without limit.',
  }),
  'app.api.rateLimit.requests': setting({
    is: integer(0, 1_000_000_000),
    default: 0,
    meaning: 'How many requests one user or one API key may make in a minute, at each instance; 0 is without limit.',
  }),
  'app.api.rateLimit.cost': setting({
    is: integer(0, 1_000_000_000),
    default: 0,
    meaning: 'How much these requests may cost in a minute, in the unit of `app.api.maxQueryCost`; 0 is without limit.',
  }),
  'app.api.maxEventLoopLag': setting({
    is: integer(0, 60_000),
    default: 500,
    meaning:
      'How many milliseconds the event loop may lag, on average, before requests are refused with 503 `overloaded`; 0 never refuses.',
  }),
  'app.errors.reportsPerMinute': setting({
    is: integer(1, 1_000_000),
    default: 30,
    meaning: 'How many errors clients at one address may report in a minute.',
  }),
  'app.errors.keepDays': setting({
    is: integer(0, 36_500),
    default: 90,
    meaning:
      'After how many days errors are deleted, with the error logs and user agents that none refers to any more; 0 keeps them for ever.',
  }),
  'app.events.keepHours': setting({
    is: integer(1, 8760),
    default: 24,
    meaning: 'How many hours changes are kept for subscribers who come back.',
  }),
  'app.events.maxRows': setting({
    is: integer(1000, 1_000_000_000),
    default: 1_000_000,
    meaning: 'How many changes are kept at most.',
  }),
  'app.realtime.maxConnectionsPerUser': setting({
    is: integer(1, 1_000_000),
    default: 10,
    meaning: 'How many realtime connections one user may have at an instance.',
  }),
  'app.realtime.maxSubscriptionsPerUser': setting({
    is: integer(1, 1_000_000),
    default: 100,
    meaning: 'How many realtime subscriptions one user may have at an instance, on all connections together.',
  }),
  'app.access.<resource>.<operation>': named({
    is: text('a rule'),
    meaning:
      'A rule in place of the one in the model; the operation is `read`, `create`, `replace`, `patch`, `delete`, `update` or `write`.',
  }),
}
