// Where browsers are sent: pages of the own client, and nothing else.

const home = '/client/'

/**
 * The address of a page of the client, named as the client names its pages, such as `/films?sort=title`. Null for whatever
 * would lead elsewhere. It is put behind the client's own path before it is read, so it cannot name another host.
 */
export const clientPage = (to: string): string | null => {
  if (!/^\/(?![/\\])/.test(to) || to.length > 1000 || /[\\\p{Cc}]/u.test(to)) return null
  const base = 'http://client.invalid'
  if (!URL.canParse(`${base}/client${to}`)) return null
  const { origin, pathname, search, hash } = new URL(`${base}/client${to}`)
  return origin === base && pathname.startsWith(home) ? pathname + search + hash : null
}

/** The sign-in page, with what it has to say. */
export const signInPage = (say: Readonly<Record<string, string>>): string =>
  `${home}sign-in?${new URLSearchParams(say)}`
