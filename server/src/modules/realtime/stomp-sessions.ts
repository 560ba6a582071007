import { defineResource, type Hooks } from '../../core/model/define.ts'
import { ref, text, timestamp } from '../../core/model/fields.ts'

/** A record that an administrator makes by hand stands for no connection; it is their own. */
const before: Hooks['before'] = ({ values, caller, now }) => {
  values.user ??= caller.pk
  values.connectedDate ??= now.toISOString()
}

export const stompSessions = defineResource('stompSessions', {
  title: { de: 'Echtzeitverbindungen' },
  singularTitle: { de: 'Echtzeitverbindung' },
  about: {
    en: 'Open realtime connections. To delete one disconnects it.',
    de: 'Offene Echtzeitverbindungen. Löschen trennt die Verbindung.',
  },
  fields: {
    user: ref('users', { serverOwned: true, onDelete: 'cascade', title: { de: 'Person' } }),
    connectedDate: timestamp({ title: { de: 'Verbunden seit' } }),
    userAgent: text({ max: 500, title: { de: 'User-Agent' } }),
    remoteAddress: text({ max: 100, title: { de: 'Adresse' } }),
    instance: text({
      max: 40,
      serverOwned: true,
      indexed: true,
      about: {
        en: 'Which instance of the service holds it.',
        de: 'Die Instanz des Dienstes, die die Verbindung hält.',
      },
      title: { de: 'Instanz' },
    }),
  },
  announces: ['user'],
  hooks: { on: ['create'], before },
  families: { find: 'A', patch: 'A', relationship: 'A' },
  access: {
    read: "record.user.pk == caller.pk || caller.has('ROLE_SITE_OPERATOR')",
    delete: 'record.user.pk == caller.pk',
    write: "caller.has('ROLE_ADMIN')",
  },
})

/** Instances that hold connections; one whose time is over has died. */
export const stompInstances = defineResource('stompInstances', {
  about: 'Instances of the service that hold realtime connections.',
  internal: true,
  stamps: 'none',
  fields: { until: timestamp({ required: true, indexed: true }) },
  access: {},
})
