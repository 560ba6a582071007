// Pages that are opened by a link with a token. The token stands behind `#`, so the browser sends it to no server. Once it is
// read it leaves the address bar, and with it the list of visited pages.

import { type ComponentType, useEffect } from 'react'
import { type Location, useLocation, useNavigate } from 'react-router'
import { IncompleteLink } from './entry-card.tsx'

type Link<Name extends string> = Readonly<Record<Name, string>>

export interface LinkPage<Name extends string> {
  readonly link: Link<Name>
}

/** The page gets what the link carries. Another link that is opened in the same tab starts it again. */
export const withLink = <Name extends string>(
  names: readonly Name[],
  Page: ComponentType<LinkPage<Name>>,
): ComponentType => {
  const LinkedPage = () => {
    const location = useLocation()
    const navigate = useNavigate()
    const opened = linkIn(location, names)
    useEffect(() => {
      // The history entry keeps the link, so that the page can be reloaded.
      if (opened) void navigate(location.pathname, { replace: true, state: opened })
    })
    const link = opened ?? toLink(location.state, names)
    return link ? <Page key={names.map(name => link[name]).join(' ')} link={link} /> : <IncompleteLink />
  }
  return LinkedPage
}

/** Links in older mails have everything in the query. */
const linkIn = <Name extends string>({ hash, search }: Location, names: readonly Name[]): Link<Name> | null =>
  toLink(Object.fromEntries(new URLSearchParams(hash.slice(1))), names) ??
  toLink(Object.fromEntries(new URLSearchParams(search)), names)

const toLink = <Name extends string>(values: unknown, names: readonly Name[]): Link<Name> | null => {
  const answer = (values ?? {}) as Readonly<Record<string, unknown>>
  const isComplete = names.every(name => typeof answer[name] === 'string' && answer[name] !== '')
  return isComplete ? (Object.fromEntries(names.map(name => [name, answer[name]])) as Link<Name>) : null
}
