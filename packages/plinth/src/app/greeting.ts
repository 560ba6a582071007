// What a newcomer reads at the start.

import { appSettings } from '../core/config/service-settings.ts'
import type { GreetingPlace, Module } from '../core/module.ts'
import type { Service } from '../core/service.ts'

export const greetingOf = async (
  service: Service,
  modules: readonly Module[],
  place: GreetingPlace,
): Promise<string[]> => {
  const lines = await Promise.all(modules.map(module => module.greet?.(service, place) ?? []))
  return [...(service.config.get(appSettings).demo ? demoGreeting(service.address()) : []), ...lines.flat()]
}

const demoGreeting = (address: string): string[] => [
  'Demo mode: sign in as admin, operator, staff, client or simple. The password is the username.',
  '',
  `Web client       ${address}/client/`,
  `API reference    ${address}/apidoc`,
  `Documentation    ${address}/docs/`,
  'Try first:',
  `  curl '${address}/api/rest' -H 'Accept: application/json'`,
  `  curl -u staff:staff '${address}/api/rest/users?fields=username,roles&_ps=3' -H 'Accept: application/hal+json'`,
  'Press Ctrl+C to stop. Your changes are kept.',
]
