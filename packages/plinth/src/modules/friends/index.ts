import { defineModule } from '../../core/module.ts'
import { friendListEndpoints } from './friend-list.ts'
import { friendshipEndpoints, friendships } from './friendships.ts'

export { friendships } from './friendships.ts'

export const friends = defineModule({
  name: 'friends',
  title: { de: 'Freunde' },
  about: {
    en: 'Friendships between users, and lists of friends.',
    de: 'Freundschaften zwischen Personen und Freundeslisten.',
  },
  reservedNames: ['friends'],
  web: 'plinth/web/friends',
  resources: [friendships],
  endpoints: service => [...friendshipEndpoints, ...friendListEndpoints(service)],
})
