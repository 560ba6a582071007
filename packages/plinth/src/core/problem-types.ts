// The problems of the platform: code, status, title, and what they mean.

import type { Text } from './text.ts'

/** A problem type of RFC 9457. */
export interface ProblemType {
  readonly status: number
  /** The name of the problem. */
  readonly title: Text
  /** The reason for which a caller gets it, for the documentation. */
  readonly meaning: string
  /** The sentence for callers where nothing more is known, as `detail`. */
  readonly detail?: Text
}

export type ProblemTable = Readonly<Record<string, ProblemType>>

/** The problems of the platform. */
export const problemTypes = {
  bad_request: {
    status: 400,
    title: { en: 'Bad request', de: 'Fehlerhafte Anfrage' },
    meaning: 'The request is malformed: its path, a header or the body.',
  },
  bad_parameter: {
    status: 400,
    title: { en: 'Bad parameter', de: 'Fehlerhafter Parameter' },
    meaning:
      'A query parameter has an unknown name, an unknown field or an invalid value; `errors` has the parameter, field and position.',
  },
  bad_filter: {
    status: 400,
    title: { en: 'Bad filter', de: 'Fehlerhafter Filter' },
    meaning: 'The `filter` has a syntax error; `errors` has the position.',
  },
  too_costly: {
    status: 400,
    title: { en: 'Too costly', de: 'Zu aufwendig' },
    meaning:
      'The query exceeds its cost budget, or a limit on its size, depth or result; `errors` lists the cost of each part and cheaper alternatives.',
  },
  invalid: {
    status: 400,
    title: { en: 'Invalid fields', de: 'Ungültige Felder' },
    meaning: 'Fields of the body are invalid; `errors` lists all of them.',
  },
  unauthorized: {
    status: 401,
    title: { en: 'Unauthorized', de: 'Nicht angemeldet' },
    meaning: 'The operation requires authentication, or the credentials are wrong.',
    detail: {
      en: 'You are not signed in, or your credentials are wrong.',
      de: 'Sie sind nicht angemeldet, oder Ihre Zugangsdaten sind falsch.',
    },
  },
  forbidden: {
    status: 403,
    title: { en: 'Forbidden', de: 'Keine Berechtigung' },
    meaning: 'The caller is authenticated but has no permission.',
    detail: { en: 'You don’t have permission to do this.', de: 'Dazu fehlt Ihnen die Berechtigung.' },
  },
  recent_sign_in_required: {
    status: 403,
    title: { en: 'Recent sign-in required', de: 'Neue Anmeldung erforderlich' },
    meaning:
      'The caller may do this, but the last sign-in was too long ago. Send the password, a code or a passkey to `userDetails/verification`, or sign in again, and repeat the request; this 403 always has a body.',
    detail: {
      en: 'Your last sign-in was too long ago for this. Confirm that it is you.',
      de: 'Dafür liegt Ihre letzte Anmeldung zu lange zurück. Bestätigen Sie, dass Sie es sind.',
    },
  },
  not_found: {
    status: 404,
    title: { en: 'Not found', de: 'Nicht gefunden' },
    meaning: 'The path or the record does not exist, or the caller has no permission to see it.',
    detail: { en: 'Not found, or you don’t have access.', de: 'Nicht gefunden, oder Sie haben keinen Zugriff.' },
  },
  method_not_allowed: {
    status: 405,
    title: { en: 'Method not allowed', de: 'Methode nicht erlaubt' },
    meaning: 'The path does not support this method; `Allow` lists the supported ones.',
  },
  not_acceptable: {
    status: 406,
    title: { en: 'Not acceptable', de: 'Format nicht verfügbar' },
    meaning: 'None of the media types in `Accept` can be produced.',
  },
  request_timeout: {
    status: 408,
    title: { en: 'Request timeout', de: 'Anfrage zu langsam' },
    meaning: 'The request did not arrive in time, or its body stopped arriving. The connection is closed.',
  },
  conflict: {
    status: 409,
    title: { en: 'Conflict', de: 'Konflikt' },
    meaning: 'The request conflicts with the current state of the record.',
  },
  taken: {
    status: 409,
    title: { en: 'Already taken', de: 'Bereits vergeben' },
    meaning: 'Another record has this identifier or unique value.',
    detail: {
      en: 'This name or identifier is already taken.',
      de: 'Dieser Name oder diese Kennung ist bereits vergeben.',
    },
  },
  referenced: {
    status: 409,
    title: { en: 'Still referenced', de: 'Noch in Verwendung' },
    meaning: 'Other records still refer to the record to be deleted.',
    detail: { en: 'Other records still refer to this one.', de: 'Andere Datensätze verweisen noch darauf.' },
  },
  stale: {
    status: 409,
    title: { en: 'Stale version', de: 'Veraltete Version' },
    meaning: 'The `version` in the body is not the current version.',
    detail: { en: 'Another user changed this in the meantime.', de: 'Jemand anders hat dies inzwischen geändert.' },
  },
  in_progress: {
    status: 409,
    title: { en: 'In progress', de: 'In Bearbeitung' },
    meaning: 'The first request with this Idempotency-Key is still running; `Retry-After` says when to retry.',
    detail: {
      en: 'The first request with this key is still running.',
      de: 'Die erste Anfrage mit diesem Schlüssel läuft noch.',
    },
  },
  precondition_failed: {
    status: 412,
    title: { en: 'Precondition failed', de: 'Bedingung nicht erfüllt' },
    meaning: 'The `If-Match` or `If-None-Match` condition is not met.',
    detail: { en: 'Another user changed this in the meantime.', de: 'Jemand anders hat dies inzwischen geändert.' },
  },
  too_large: {
    status: 413,
    title: { en: 'Too large', de: 'Zu groß' },
    meaning: 'The body exceeds the size limit.',
    detail: { en: 'This is too large.', de: 'Das ist zu groß.' },
  },
  unsupported_media_type: {
    status: 415,
    title: { en: 'Unsupported media type', de: 'Format nicht unterstützt' },
    meaning: 'The media type of the body is not supported here.',
  },
  range_not_satisfiable: {
    status: 416,
    title: { en: 'Range not satisfiable', de: 'Bereich nicht vorhanden' },
    meaning: 'The `Range` starts after the end of the file; `Content-Range` has its size.',
  },
  misdirected: {
    status: 421,
    title: { en: 'Misdirected request', de: 'Fehlgeleitete Anfrage' },
    meaning:
      'The `Host` header names another service. In demo mode it must be `localhost` or a loopback address; in production the host of `app.baseUrl` or one of `server.hosts`.',
  },
  unprocessable: {
    status: 422,
    title: { en: 'Unprocessable', de: 'Nicht verarbeitbar' },
    meaning: 'The body is well-formed but refers to something that does not exist, or contradicts itself.',
  },
  key_reused: {
    status: 422,
    title: { en: 'Idempotency-Key reused', de: 'Idempotency-Key schon verwendet' },
    meaning: 'The key was used before with another request.',
    detail: {
      en: 'The key was already used with another request.',
      de: 'Der Schlüssel wurde schon mit einer anderen Anfrage verwendet.',
    },
  },
  upgrade_required: {
    status: 426,
    title: { en: 'Upgrade required', de: 'Anderes Protokoll erforderlich' },
    meaning: 'The path requires another protocol, which `Upgrade` names.',
  },
  too_many_requests: {
    status: 429,
    title: { en: 'Too many requests', de: 'Zu viele Anfragen' },
    meaning: 'The rate limit is exceeded; `Retry-After` says when to retry.',
    detail: { en: 'Too many attempts in a short time.', de: 'Zu viele Versuche in kurzer Zeit.' },
  },
  header_too_large: {
    status: 431,
    title: { en: 'Headers too large', de: 'Kopfzeilen zu groß' },
    meaning: 'The request line or the headers exceed the size limit.',
  },
  internal: {
    status: 500,
    title: { en: 'Internal error', de: 'Interner Fehler' },
    meaning: 'The service failed; the error is recorded.',
    detail: {
      en: 'Something went wrong on our side. The error was recorded.',
      de: 'Bei uns ist etwas schiefgelaufen. Der Fehler wurde aufgezeichnet.',
    },
  },
  query_timeout: {
    status: 503,
    title: { en: 'Query timeout', de: 'Suche abgebrochen' },
    meaning: 'The search took too long and was cancelled; use fewer conditions, or indexed ones.',
    detail: {
      en: 'The search took too long and was cancelled. Use fewer conditions, or indexed ones.',
      de: 'Die Suche dauerte zu lange und wurde abgebrochen. Verwenden Sie weniger Bedingungen oder solche mit einem Index.',
    },
  },
  execution_timeout: {
    status: 503,
    title: { en: 'Execution timeout', de: 'Ausführung abgebrochen' },
    meaning:
      'Code of the application, such as a hook or an endpoint, did not finish in time. Its changes were rolled back; the error is recorded.',
    detail: {
      en: 'This took too long, so nothing was changed. The error was recorded.',
      de: 'Das hat zu lange gedauert; es wurde nichts geändert. Der Fehler wurde aufgezeichnet.',
    },
  },
  suspended: {
    status: 503,
    title: { en: 'Suspended', de: 'Ausgesetzt' },
    meaning:
      'Code of the application behind this request kept all writers waiting, so it does not run for a while. Try again after `Retry-After`.',
    detail: {
      en: 'This is paused because it kept others waiting. Try again in a moment.',
      de: 'Das ist gerade ausgesetzt, weil es andere warten ließ. Versuchen Sie es gleich noch einmal.',
    },
  },
  overloaded: {
    status: 503,
    title: { en: 'Overloaded', de: 'Überlastet' },
    meaning: 'The service has too many connections or requests; `Retry-After` says when to retry.',
    detail: {
      en: 'The service is busy or restarting. Try again in a moment.',
      de: 'Der Dienst ist ausgelastet oder startet neu. Versuchen Sie es gleich noch einmal.',
    },
  },
  unavailable: {
    status: 503,
    title: { en: 'Unavailable', de: 'Nicht verfügbar' },
    meaning: 'The service or its database is temporarily unavailable; `Retry-After` says when to retry.',
    detail: {
      en: 'The service is busy or restarting. Try again in a moment.',
      de: 'Der Dienst ist ausgelastet oder startet neu. Versuchen Sie es gleich noch einmal.',
    },
  },
  version_not_supported: {
    status: 505,
    title: { en: 'HTTP version not supported', de: 'HTTP-Version nicht unterstützt' },
    meaning: 'The request line names a version other than HTTP/1.1 or HTTP/1.0. The connection is closed.',
  },
} as const satisfies ProblemTable

/** The codes of the problems of the platform. Modules declare others with `defineProblems`. */
export type ProblemCode = keyof typeof problemTypes

/**
 * Is this the code of a problem of the platform?
 *
 * @example if (isProblemCode(code)) throw new Problem(code)
 */
export const isProblemCode = (code: unknown): code is ProblemCode =>
  typeof code === 'string' && Object.hasOwn(problemTypes, code)
