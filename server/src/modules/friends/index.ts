import { defineModule } from '../../core/module.ts'
import { friendListRoutes } from './friend-list.ts'
import { friendshipRoutes } from './friendship-routes.ts'
import { friendships } from './friendships.ts'

export { friendships } from './friendships.ts'

export const friends = defineModule({
  name: 'friends',
  title: { de: 'Freunde' },
  about: {
    en: 'Friendships between users, and lists of friends.',
    de: 'Freundschaften zwischen Personen und Freundeslisten.',
  },
  reservedNames: ['friends'],
  resources: [friendships],
  routes: service => [...friendshipRoutes(service), ...friendListRoutes(service)],
})
