// Hosts, and the origins that they stand for, kept in a table of their own: a request with an Origin header looks up one row.

import { defineFaults } from '../../core/fault.ts'
import { originsOfHost } from '../../core/http/cors.ts'
import { defineResource } from '../../core/model/define.ts'
import { longText, ref, text, textList } from '../../core/model/fields.ts'
import { followingRows } from '../../core/model/following-rows.ts'
import { defineModule, type Seed } from '../../core/module.ts'
import type { Platform } from '../../core/rest/platform.ts'

export const hostOrigins = defineResource('hostOrigins', {
  about: 'The origins of hosts.',
  internal: true,
  stamps: 'none',
  fields: {
    origin: text({ required: true, max: 300, indexed: true }),
    host: ref('hosts', { required: true, onDelete: 'cascade' }),
  },
  access: {},
})

export const hostFault = defineFaults({
  host_name: {
    en: 'must be a host name, with a port if needed',
    de: 'Geben Sie einen Hostnamen ein, bei Bedarf mit Port.',
  },
})

/** A host name or an address in brackets, with a port if it needs one. Checked again where it becomes an origin. */
const hostName = {
  is: /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*|\[[0-9A-Fa-f:]+\])(?::[0-9]{1,5})?$/,
  says: hostFault('host_name'),
}

interface HostNames {
  readonly name: string
  readonly aliases?: readonly string[] | null | undefined
}

const originsOf = ({ name, aliases }: HostNames): readonly { readonly origin: string }[] => {
  const origins = new Set([name, ...(aliases ?? [])].flatMap(originsOfHost))
  return [...origins].map(origin => ({ origin }))
}

export const hosts = defineResource('hosts', {
  title: { de: 'Hosts' },
  singularTitle: { de: 'Host' },
  about: {
    en: 'Hosts that may call the service from their own origins (CORS).',
    de: 'Hosts, die den Dienst von ihren eigenen Origins aus aufrufen dürfen (CORS).',
  },
  label: 'name',
  history: true,
  trash: true,
  fields: {
    name: text({ required: true, max: 255, unique: 'ignoreCase', pattern: hostName, title: { de: 'Name' } }),
    description: longText({ max: 500, title: { de: 'Beschreibung' } }),
    aliases: textList({
      pattern: hostName,
      about: { en: 'Other names of the same host.', de: 'Weitere Namen desselben Hosts.' },
      title: { de: 'Weitere Namen' },
    }),
    country: ref('countries', { title: { de: 'Land' } }),
  },
  families: { find: 'jsonApi', delete: 'jsonApi', patch: 'jsonApi', relationship: 'jsonApi', related: 'jsonApi' },
  access: { read: 'caller.signedIn', write: "caller.has('ROLE_ADMIN')" },
  hooks: {
    fields: ['name', 'aliases'],
    follow: [followingRows(hostOrigins, 'host', originsOf)],
  },
})

/** Asks the database each time, so that a host counts at once, and no longer than it is there, on every instance. */
export const createHostOrigins =
  ({ records, registry }: Pick<Platform, 'records' | 'registry'>): ((origin: string) => Promise<boolean>) =>
  async origin =>
    // An application may do without this module.
    registry.has(hostOrigins.name) && (await records.first(hostOrigins, { where: { origin } })) !== null

/** The seed of databases with hosts from before this table. */
export const originsSeed: Seed = {
  name: 'hosts.origins',
  run: async ({ records }) => {
    for await (const batch of records.stream(hosts))
      await records.createMany(
        hostOrigins,
        batch.flatMap(host => originsOf(host).map(origin => ({ ...origin, host: host.pk }))),
      )
  },
}

export const hostsModule = defineModule({
  name: 'hosts',
  title: { de: 'Hosts' },
  about: {
    en: 'Hosts, whose names are allowed CORS origins.',
    de: 'Hosts, deren Namen erlaubte CORS-Origins sind.',
  },
  faults: hostFault.table,
  resources: [hosts, hostOrigins],
  seeds: [originsSeed],
})
