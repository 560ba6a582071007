// The heap snapshot, for administrators who have signed in recently.

import { boolean } from '../../core/model/fields.ts'
import { Problem } from '../../core/problem.ts'
import type { Service } from '../../core/service.ts'
import { createKeys } from '../auth/index.ts'
import { defineManagement } from './management-endpoint.ts'
import { createHeapDumps, heapDumpType, managementSettings } from './process.ts'

const binary = { type: 'string', format: 'binary' } as const

/** Memory holds more than any other endpoint shows: a session that was left open is not enough. */
export const heapDump = ({ config, platform }: Service) => {
  const dumps = createHeapDumps()
  const keys = createKeys(platform, config)
  return defineManagement({
    path: '/heapdump',
    id: 'getHeapDump',
    summary: 'Download a V8 heap snapshot',
    description:
      'Requires `app.management.heapdump` and a recent sign-in. The service does not respond while the snapshot is taken.',
    query: { live: boolean({ default: false, about: 'Run the garbage collector first.' }) },
    shape: binary,
    problems: [429],
    mediaTypes: [heapDumpType],
    audit: 'HEAP_DUMPED',
    requires: 'recentSignIn',
    run: async ({ request, service, query: { live } }) => {
      if (!config.get(managementSettings).heapdump) throw new Problem('not_found')
      const name = `heapdump-${service.platform.clock().toISOString().replace(/[:.]/g, '-')}.heapsnapshot`
      const headers = {
        'Content-Type': heapDumpType,
        'Content-Disposition': `attachment; filename="${name}"`,
        'Cache-Control': 'no-store',
      }
      if (request.method === 'HEAD') return { response: { status: 200, headers } }
      const own = [...(await keys.tokens()), ...(await keys.seals())].map(({ secret }) => secret)
      const body = dumps.take({ live, secrets: [...config.secrets, ...own] })
      if (body === null)
        throw new Problem('too_many_requests', {
          detail: { en: 'Another snapshot is in progress.', de: 'Es wird gerade ein anderes Abbild erstellt.' },
          headers: { 'Retry-After': '10' },
        })
      return { response: { status: 200, headers, body } }
    },
  })
}
