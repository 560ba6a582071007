// The endpoints of loggers: their levels, and a change of one.

import { Problem } from '../../core/problem.ts'
import { levelWords, listLoggers, readLevel, showLogger } from './loggers.ts'
import { defineManagement, namedPart, type Viewing } from './management-endpoint.ts'
import * as shapes from './shapes.ts'

export const loggerEndpoints = [
  defineManagement({
    path: '/loggers',
    id: 'getLoggers',
    summary: 'List the loggers and their levels',
    shape: shapes.loggers,
    run: ({ service }) => ({ value: listLoggers(service.logs) }),
  }),
  defineManagement({
    path: '/loggers/{name}',
    id: 'getLogger',
    summary: 'Read the level of a logger',
    params: { name: 'The logger; may end in `.json`.' },
    shape: shapes.logger,
    run: viewing => ({ value: showLogger(viewing.service.logs, loggerIn(viewing)) }),
  }),
  defineManagement({
    method: 'POST',
    path: '/loggers/{name}',
    id: 'setLogger',
    summary: 'Change the level of a logger',
    description: 'Null resets the logger to the root level.',
    params: { name: 'The logger; may end in `.json`.' },
    body: {
      type: 'object',
      properties: { configuredLevel: { type: ['string', 'null'], description: `One of ${levelWords.join(', ')}.` } },
      required: ['configuredLevel'],
    },
    shape: shapes.logger,
    problems: [400, 413, 415],
    audit: 'LOG_LEVEL_CHANGED',
    run: viewing => {
      const { logs } = viewing.service
      const name = loggerIn(viewing)
      logs.setLevel(name, readLevel(viewing.request))
      return { value: showLogger(logs, name) }
    },
  }),
] as const

const loggerIn = (viewing: Viewing): string => {
  const names = new Set(viewing.service.logs.list().map(one => one.name))
  const name = namedPart(viewing, known => names.has(known))
  if (name === null) throw new Problem('not_found')
  return name
}
