// What the service has done lately: audit events, requests, threads.

import { auditQuery, listAuditEvents } from './audit-events.ts'
import { defineManagement, type ManagementAnswer, type Viewing } from './management-endpoint.ts'
import { dumpThreads } from './process.ts'
import * as shapes from './shapes.ts'

const showTrace = ({ service: { observed } }: Viewing): ManagementAnswer => ({
  value: observed.recent.list().map(({ at, id, method, path, status, ms, callerPk, remoteAddress, headers }) => ({
    timestamp: at.getTime(),
    info: {
      method,
      path,
      timeTaken: Math.round(ms * 10) / 10,
      requestId: id,
      remoteAddress,
      principal: callerPk,
      headers: { request: headers, response: { status: status.toString() } },
    },
  })),
})

export const activityEndpoints = [
  defineManagement({
    path: '/auditevents',
    id: 'getAuditEvents',
    summary: 'Read the audit log',
    description: 'The newest 1000 matching events, oldest first.',
    query: auditQuery,
    shape: shapes.auditTrail,
    problems: [400],
    run: async viewing => ({ value: await listAuditEvents(viewing) }),
  }),
  defineManagement({
    path: '/dump',
    id: 'getThreads',
    summary: 'Read a thread dump',
    shape: shapes.threads,
    run: async () => ({ value: await dumpThreads() }),
  }),
  defineManagement({
    path: '/trace',
    id: 'getTrace',
    summary: 'List the last 100 requests, newest first',
    shape: shapes.trace,
    run: viewing => showTrace(viewing),
  }),
] as const
