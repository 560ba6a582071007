// The pages of the module as text. Their policy forbids inline scripts and styles.

import { createHash } from 'node:crypto'
import type { FaultTable } from '../../core/fault.ts'
import type { Request, Response } from '../../core/http/exchange.ts'
import { pageHeaders } from '../../core/http/security-headers.ts'
import type { ProblemTable } from '../../core/problem-types.ts'
import { isUnchanged } from '../../core/rest/etags.ts'
import { inLanguage, type Text } from '../../core/text.ts'

interface PageHead {
  readonly title: string
  /** What search engines show of the page. */
  readonly description: string
  /** English unless given. */
  readonly language?: string
}

export const toPage = (
  { title, description, language = 'en' }: PageHead,
  head: string,
  body: string,
): string => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<meta name="description" content="${escaped(description).replaceAll('"', '&quot;')}">
<link rel="icon" href="/favicon.ico">
${head}
</head>
<body>
${body}
</body>
</html>
`

const toEntries = (problems: ProblemTable): string[] =>
  Object.entries(problems).map(
    ([code, { status, title, meaning }]) =>
      `<dt id="${code}"><code>${code}</code> ${status} ${inLanguage(title, 'en')}</dt>
<dd>${meaning.replaceAll(/`([^`]+)`/g, '<code>$1</code>')}</dd>`,
  )

/** Escapes text as the content of an element. */
export const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const toRow = ([code, message]: [string, Text]): string =>
  `<tr><td><code>${code}</code></td><td>${escaped(inLanguage(message, 'en'))}</td></tr>`

/** Makes the page of problems, with the problems and faults of the modules that are on. */
export const toProblemsPage = (problems: ProblemTable, faults: FaultTable): string =>
  toPage(
    {
      title: 'Problem codes',
      description: 'The codes of problem details that this service sends, and what they mean.',
    },
    '<link rel="stylesheet" href="/apidoc/page.css">',
    `<main class="entry">
<nav aria-label="Pages"><ul class="plain links">
<li><a href="/">Start</a></li>
<li><a href="/docs/">Documentation</a></li>
<li><a href="/apidoc">API reference</a></li>
</ul></nav>
<h1>Problem codes of this service</h1>
<p>Errors are problem details (RFC 9457) with one of these codes. <a href="/docs/errors.html#the-body">Problems and error codes</a> describes the body, <a href="/docs/questions.html">Questions and answers</a> what to do about common errors.</p>
<dl>
${toEntries(problems).join('\n')}
</dl>
<h2 id="faults">Error codes</h2>
<p>The codes in <code>errors</code>. <code>{name}</code> is a value in <code>params</code>.</p>
<table>
${Object.entries(faults).map(toRow).join('\n')}
</table>
</main>`,
  )

export const pageStyle = `:root { color-scheme: light dark; --text: #1f2933; --soft: #52606d; --page: #fafbfc; --card: #fff; --line: #e4e7eb; --link: #0b5cad; --button: #0b5cad; --mark: #dceefb; --get: #0b5cad; --post: #0e6b3c; --put: #8a5300; --delete: #b3201b }
@media (prefers-color-scheme: dark) {
  :root { --text: #e4e7eb; --soft: #a5b1bd; --page: #15191e; --card: #1e242b; --line: #3b4753; --link: #7cb8f5; --button: #1864ab; --mark: #23405c; --get: #7cb8f5; --post: #6fd39b; --put: #f0b45f; --delete: #ff9b95 }
}
body { margin: 0; font-family: system-ui, sans-serif; line-height: 1.5; color: var(--text); background: var(--page) }
code, pre, textarea { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .875em }
.entry { max-width: 42rem; margin: 8vh auto; padding: 0 1.5rem }
.entry h1 { font-size: 2.25rem; line-height: 1.2; margin: 0 0 .5rem }
.entry h2 { font-size: 1.25rem; margin: 2.5rem 0 .5rem; scroll-margin-top: 1rem }
.entry h3 { font-size: 1rem; margin: 1.25rem 0 .25rem }
.entry p, .entry .about { color: var(--soft); margin: 0 0 1rem }
.entry table { width: 100%; border-collapse: collapse }
.entry th, .entry td { padding: .375rem .5rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top }
.entry .button, .entry button { display: inline-block; padding: .625rem 1.25rem; border: 0; border-radius: .375rem; color: #fff; background: var(--button); font: inherit; text-decoration: none; cursor: pointer }
.entry ul { list-style: none; margin: 1rem 0 0; padding: 0; display: grid; gap: .75rem }
.entry li { display: grid; gap: .25rem; padding: 1rem 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: .5rem }
.entry ul.plain { display: block; list-style: disc; margin: 0; padding-left: 1.25rem }
.entry ul.plain li { display: list-item; padding: 0; background: none; border: 0 }
.entry ul.links { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; padding: 0 }
.entry a { color: var(--link); font-weight: 600; text-decoration: none }
.entry p a { text-decoration: underline }
.entry a:hover, .entry a:focus-visible { text-decoration: underline }
.entry dt { font-weight: 600; margin: 1.5rem 0 .25rem; scroll-margin-top: 1rem }
.entry dt:target { color: var(--link) }
.entry dd { margin: 0; color: var(--soft) }
.entry span { color: var(--soft); font-size: .9375rem }
.reference { display: grid; grid-template-columns: minmax(0, 22rem) minmax(0, 1fr); min-height: 100vh }
.reference nav { position: sticky; top: 0; box-sizing: border-box; height: 100vh; overflow-y: auto; padding: 1rem; border-right: 1px solid var(--line); background: var(--card); font-size: .875rem }
.reference .top { display: flex; gap: 1rem; margin: 0 0 .75rem; font-size: 1rem }
.reference .top a { color: var(--link); font-weight: 600; text-decoration: none }
.reference label { display: grid; gap: .125rem; margin: 0 0 .75rem; font-size: .875rem }
.reference input, .reference textarea { box-sizing: border-box; width: 100%; padding: .5rem .75rem; border: 1px solid #8592a0; border-radius: .375rem; font: inherit; color: inherit; background: var(--page) }
.reference textarea { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
.reference #filter { margin-bottom: .75rem }
.reference summary { padding: .375rem .25rem; font-weight: 600; cursor: pointer }
.reference summary span { color: var(--soft); font-weight: 400 }
.reference .credentials { margin-top: 1rem; border-top: 1px solid var(--line) }
.reference .credentials p { color: var(--soft); margin: 0 }
.reference nav ul { list-style: none; margin: 0 0 .5rem; padding: 0 }
.reference nav li a { display: block; padding: .3125rem .5rem; border-radius: .375rem; color: inherit; text-decoration: none; overflow-wrap: anywhere }
.reference nav li a:hover { background: var(--page) }
.reference nav li a[aria-current] { background: var(--mark) }
.reference b { display: inline-block; min-width: 3.75rem; font-size: .6875rem; text-transform: uppercase }
.reference .get { color: var(--get) }
.reference .post { color: var(--post) }
.reference .put, .reference .patch { color: var(--put) }
.reference .delete { color: var(--delete) }
.reference nav code { display: block; color: var(--soft); font-size: .75rem }
.reference nav li a[aria-current] code { color: inherit }
.reference .entry { max-width: 56rem; margin: 2rem auto }
.reference .entry > ul:not(.plain) { grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)) }
.reference .entry li { align-content: start }
.reference .address { overflow-wrap: anywhere }
.reference .address b { font-size: .875rem }
.reference em { color: var(--delete); font-size: .75rem; font-style: normal }
.reference td, .reference th { font-size: .875rem; font-weight: 400 }
.reference td { overflow-wrap: anywhere; min-width: 6rem }
.reference pre { margin: .25rem 0 1rem; padding: .75rem 1rem; overflow: auto; max-height: 30rem; border: 1px solid var(--line); border-radius: .375rem; background: var(--card) }
.reference .scroll { overflow-x: auto }
.reference .result strong { color: var(--text) }
[hidden] { display: none !important }
@media (max-width: 48rem) {
  .reference { display: block }
  .reference nav { position: static; height: auto; max-height: 50vh; border-right: 0; border-bottom: 1px solid var(--line) }
  .entry { margin: 2rem auto }
}
noscript { display: block; margin: 20vh auto; max-width: 42rem; padding: 0 1.5rem }
`

// Content that stays the same as long as the service runs: made when it is first asked for, then kept with its tag.

export interface Content {
  /** The same buffer each time, so that it is compressed once. */
  readonly body: Buffer
  readonly etag: string
}

export const toContent = (content: string | Buffer): Content => {
  const body = Buffer.from(content)
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` }
}

export const sendContent = ({ headers }: Request, { body, etag }: Content, type: string): Response => {
  const status = isUnchanged(headers['if-none-match'], etag) ? 304 : 200
  return { status, headers: { ...pageHeaders(false), 'cache-control': 'no-cache', etag, 'content-type': type }, body }
}
