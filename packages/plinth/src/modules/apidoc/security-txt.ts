// `/.well-known/security.txt` (RFC 9116): where to report a vulnerability of this installation.

import { defineTextType, webAddress } from '../../core/config/fields.ts'
import { appSettings } from '../../core/config/service-settings.ts'
import { defineSettings } from '../../core/config/settings.ts'
import type { Route } from '../../core/http/exchange.ts'
import type { Service } from '../../core/service.ts'

/** The schemes of RFC 9116, section 2.5.3. A plain e-mail address is what people enter. */
const contactAddress = defineTextType(
  'text',
  'must be an e-mail address, or an https:, mailto: or tel: address',
  text => {
    if (/^[^\s@:/]+@[^\s@/]+$/.test(text)) return `mailto:${text}`
    return /^(https:\/\/|mailto:|tel:)[^\s]+$/.test(text) ? text : undefined
  },
)

export const securitySettings = defineSettings('app.security', {
  contact: contactAddress({
    default: '',
    about:
      'Where to report vulnerabilities: an e-mail address or a URL, published at `/.well-known/security.txt`. If empty, there is no such page.',
  }),
  policy: webAddress({ default: '', about: 'The URL of your security policy, for `/.well-known/security.txt`.' }),
})

const path = '/.well-known/security.txt'
const dayMs = 24 * 3600_000

/** The date moves on, so that readers see that the page is current; a year is the most that is recommended (2.5.5). */
const expiresAfterDays = 180

export const securityRoutes = (service: Service): readonly Route[] => {
  const { contact, policy } = service.config.get(securitySettings)
  const { baseUrl } = service.config.get(appSettings)
  if (contact === '') return []
  const handler: Route['handler'] = () => {
    const expires = new Date(Math.ceil(service.platform.clock().getTime() / dayMs + expiresAfterDays) * dayMs)
    const lines = [
      `Contact: ${contact}`,
      `Expires: ${expires.toISOString()}`,
      ...(policy ? [`Policy: ${policy}`] : []),
      ...(baseUrl ? [`Canonical: ${baseUrl}${path}`] : []),
    ]
    return {
      status: 200,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'max-age=86400' },
      body: `${lines.join('\n')}\n`,
    }
  }
  return [{ method: 'GET', path, handler }]
}
