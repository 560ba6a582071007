// Reports errors of the client to the service.

import { ApiProblem } from '@plinth/client'

const most = 10
const known = new Set<string>()

/** The view without its query, which may contain private data. */
const viewUrl = (): string => (location.origin + location.pathname).slice(0, 1000)

export const reportError = (error: unknown, state = ''): void => {
  // What the service itself refused, it knows already.
  if (error instanceof ApiProblem) return
  const message = (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 500)
  if (known.has(message) || known.size >= most) return
  known.add(message)
  const description = (error instanceof Error ? (error.stack ?? '') : '').slice(0, 1000)
  void fetch('/api/rest/clientErrors', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ message, description, state: state.slice(0, 4000), viewUrl: viewUrl() }),
    keepalive: true,
  }).catch(() => {})
}

export const reportUncaught = (): void => {
  window.addEventListener('error', event => reportError(event.error ?? event.message))
  window.addEventListener('unhandledrejection', event => reportError(event.reason))
}
