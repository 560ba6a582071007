import { defineFaults } from '../../core/fault.ts'
import { defineResource } from '../../core/model/define.ts'
import { longText, ref, text, textList } from '../../core/model/fields.ts'
import { keepOrigins } from './origins.ts'

export const hostFault = defineFaults({ host_name: 'must be a host name, with a port if needed' })

/** A host name or an address in brackets, with a port if it needs one. Checked again where it becomes an origin. */
const hostName = {
  is: /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*|\[[0-9A-Fa-f:]+\])(?::[0-9]{1,5})?$/,
  says: hostFault('host_name'),
}

export const hosts = defineResource('hosts', {
  title: { de: 'Hosts' },
  singularTitle: { de: 'Host' },
  about: {
    en: 'Hosts whose pages may use the service from other origins.',
    de: 'Hosts, deren Seiten den Dienst von anderen Origins aus nutzen dürfen.',
  },
  label: 'name',
  fields: {
    name: text({ required: true, max: 255, unique: 'ignoreCase', pattern: hostName, title: { de: 'Name' } }),
    description: longText({ max: 500, title: { de: 'Beschreibung' } }),
    aliases: textList({
      pattern: hostName,
      about: { en: 'Further names of the same host.', de: 'Weitere Namen desselben Hosts.' },
      title: { de: 'Weitere Namen' },
    }),
    country: ref('countries', { title: { de: 'Land' } }),
  },
  hooks: { after: keepOrigins },
  access: { read: 'caller.signedIn', write: "caller.has('ROLE_ADMIN')" },
})
