// The pages of resources and a user who looks at them, with one resource that is unknown to the client.

import { loadConfig, modulesFor } from '@plinth/test-kit/platform'
import { arrive, type Visitor } from '@plinth/test-kit/visitor'
import { defineModule, defineResource, text } from 'plinth'

const lighthouses = defineModule({
  name: 'coast',
  about: 'What ships look for.',
  resources: [
    defineResource('lighthouses', {
      about: 'Lights along the coast.',
      label: 'name',
      fields: { name: text({ required: true, max: 100 }), colour: text({ max: 20 }) },
      access: { read: 'caller.signedIn', write: "caller.has('ROLE_STAFF')" },
    }),
  ],
})

/** Arrives as an administrator. */
export const arriveAtResources = async (): Promise<Visitor> => {
  const modules = [...modulesFor(loadConfig({ env: {}, cwd: '/', overrides: { 'app.demo': 'true' } })), lighthouses]
  const visitor = await arrive({ modules })
  await visitor.signIn('admin')
  return visitor
}

export const json = { Accept: 'application/json' }

export const filmCalled = async ({ service }: Visitor, title: string) => {
  const filter = encodeURIComponent(`title=="${title}"`)
  return (await service.as('admin').get(`/api/rest/films?filter=${filter}`, json)).body.content[0]
}
