// A problem as a page, for people who load one in a browser: it would save any other document to a file. The page needs nothing else.

import { createHash } from 'node:crypto'
import { chooseMediaType } from '../formats/choose-media-type.ts'
import { wantsProblems } from '../formats/negotiate.ts'
import type { Request, Response } from '../http/exchange.ts'
import type { Problem } from '../problem.ts'
import { chooseLanguage, languageHeaders } from './language.ts'

/** Does a browser load a page? Programs, and scripts of pages, accept other types. */
const isPageLoad = ({ method, headers: { accept } }: Request): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  accept !== undefined &&
  !wantsProblems(accept) &&
  chooseMediaType(accept, ['application/json', 'text/html']) === 'text/html'

interface PageTexts {
  readonly busy: readonly [title: string, text: string]
  readonly failed: readonly [title: string, text: string]
  readonly again: string
  readonly incident: string
}

const texts: Readonly<Record<'en' | 'de', PageTexts>> = {
  en: {
    busy: ['Busy', 'The service has too much to do right now. This page tries again by itself.'],
    failed: ['Something went wrong', 'The service could not answer. The error was recorded.'],
    again: 'Try again',
    incident: 'Error number',
  },
  de: {
    busy: ['Ausgelastet', 'Der Dienst hat gerade zu viel zu tun. Diese Seite versucht es von selbst noch einmal.'],
    failed: ['Etwas ist schiefgegangen', 'Der Dienst konnte nicht antworten. Der Fehler wurde aufgezeichnet.'],
    again: 'Noch einmal versuchen',
    incident: 'Fehlernummer',
  },
}

const style = `:root{color-scheme:light dark;font:1.1rem/1.5 system-ui,sans-serif}
body{margin:20vh auto;max-width:32rem;padding:0 1.5rem}
small{opacity:.7}`

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

export interface PageParts {
  readonly problem: Problem
  readonly headers: NonNullable<Response['headers']>
  /** The number under which the failure is kept, if it is. */
  readonly errorLogId: string | null
}

/** Returns null for a caller who loads no page, and for a problem that trying again does not solve. */
export const toProblemPage = (request: Request, { problem, headers, errorLogId }: PageParts): Response | null => {
  const { status } = problem
  if ((status < 500 && status !== 429) || !isPageLoad(request)) return null
  const language = chooseLanguage(request.headers['accept-language'], ['en', 'de']) === 'de' ? 'de' : 'en'
  return {
    status,
    headers: {
      ...headers,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      ...languageHeaders(language),
    },
    body: toHtml(language, { waitSeconds: waitOf(headers), errorLogId }),
  }
}

/** The seconds over which retries are spread: callers who were refused together would come back together. */
const spreadSeconds = 3

const waitOf = ({ 'Retry-After': after }: PageParts['headers']): number | null =>
  after === undefined ? null : Math.ceil(Number(after) + Math.random() * spreadSeconds)

const toHtml = (
  language: 'en' | 'de',
  { waitSeconds, errorLogId }: { waitSeconds: number | null; errorLogId: string | null },
): string => {
  const { busy, failed, again, incident } = texts[language]
  const [title, text] = waitSeconds === null ? failed : busy
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">${waitSeconds === null ? '' : `\n<meta http-equiv="refresh" content="${waitSeconds}">`}
<title>${title}</title>
<style>${style}</style>
<h1>${title}</h1>
<p>${text}</p>
<p><a href="">${again}</a></p>${errorLogId === null ? '' : `\n<p><small>${incident}: ${errorLogId}</small></p>`}
</html>
`
}
