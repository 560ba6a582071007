// What the links in mails carry.

import { useSearchParams } from 'react-router'

interface AccountLink {
  readonly username: string
  readonly token: string
}

export const useAccountLink = (): AccountLink | null => {
  const [search] = useSearchParams()
  const [username, token] = [search.get('username'), search.get('token')]
  return username && token ? { username, token } : null
}
