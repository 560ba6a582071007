import { defineModule } from '../../core/module.ts'
import { friendListRoutes } from './friend-list.ts'
import { friendshipRoutes } from './friendship-routes.ts'
import { friendships } from './friendships.ts'

export const friends = defineModule({
  name: 'friends',
  title: { de: 'Freunde' },
  about: 'Friendships between users, and lists of friends.',
  reservedNames: ['friends'],
  resources: [friendships],
  routes: service => [...friendshipRoutes(service), ...friendListRoutes(service)],
})
