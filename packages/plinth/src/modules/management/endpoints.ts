// Every management endpoint, one row each.

import type { Json } from '../../core/model/json.ts'
import type { Service } from '../../core/service.ts'
import { activityEndpoints } from './activity.ts'
import { healthEndpoints } from './health.ts'
import { heapDump } from './heap-dump.ts'
import { jobEndpoints } from './jobs.ts'
import { loggerEndpoints } from './logger-endpoints.ts'
import {
  defineManagement,
  type ManagementAnswer,
  type ManagementEndpoint,
  root,
  type Viewing,
} from './management-endpoint.ts'
import { halType } from './media-types.ts'
import { metricEndpoints } from './metrics.ts'
import { managementSettings } from './process.ts'
import { settingEndpoints } from './settings.ts'
import * as shapes from './shapes.ts'
import { structureEndpoints } from './structure.ts'

type Linked = Pick<ManagementEndpoint, 'path' | 'mediaTypes'>

const showLinks = (endpoints: readonly Linked[], { request: { base }, mediaType }: Viewing): ManagementAnswer => {
  const links = [{ path: '' }, ...endpoints].map(({ path, mediaTypes }: Linked) => ({
    rel: path.slice(1) || 'self',
    href: base + root + path,
    mediaTypes,
  }))
  if (mediaType !== halType) return { value: { links: links.map(({ rel, href }) => ({ rel, href })) } }
  // Where the target does not speak HAL, the link says what it speaks.
  const toLink = ({ href, mediaTypes: [type] = [] }: (typeof links)[number]): Json => (type ? { href, type } : { href })
  return { value: { _links: Object.fromEntries(links.map(link => [link.rel, toLink(link)])) } }
}

export const managementEndpoints = (service: Service) => {
  const below = [
    ...activityEndpoints,
    ...jobEndpoints,
    ...structureEndpoints,
    ...settingEndpoints,
    ...loggerEndpoints,
    ...metricEndpoints,
    ...healthEndpoints(service),
    heapDump(service),
  ]
  const isOff = (path: string): boolean => path === '/heapdump' && !service.config.get(managementSettings).heapdump
  const linked = below
    .filter(({ path, method = 'GET' }) => method === 'GET' && !path.includes('{') && !isOff(path))
    .sort((left, right) => (left.path < right.path ? -1 : 1))
  const links = defineManagement({
    path: '',
    id: 'getManagement',
    summary: 'List the management endpoints',
    shape: shapes.links,
    run: viewing => showLinks(linked, viewing),
  })
  return [links, ...below]
}
