// Every example in README.md and docs/ is sent to a running service and its answer compared. `npm test` takes a third of the pages.
//
// ```http blocks hold a request and, after a line `HTTP/1.1 <status>`, the answer: status, the headers shown, the body.
// ```sh blocks: each curl line is sent; a comment `# 401` on the next line is its status, any success unless given; a
// ```json or ```xml block right after is the body of the last one. `-F name=@file` sends a picture, or a few words when the
// file is no `.png`. `…` stands for what is left out: of an object, of the rest of a list, or of a text. `<word>` in an answer
// is kept, and put into later requests.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { everyThird } from '@plinth/test-kit/extent'
import { type Answer, clientFor, startService } from '@plinth/test-kit/service'
import { picture } from '@plinth/test-kit/uploads'
import type { Module } from 'plinth'
import { startPlinth } from 'plinth/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import library from '../../../examples/library/plinth.config.ts'
import { samplesOf } from './doc-samples.ts'
import { type CodeBlock, codeBlocksOf } from './markdown.ts'

const root = new URL('../../../', import.meta.url)
const pages = ['README.md', ...readdirSync(new URL('docs', root)).map(page => `docs/${page}`)].filter(
  // The quick start is about a new application, which packages/create-plinth/test/create-plinth.test.ts creates.
  page => page.endsWith('.md') && page !== 'docs/quick-start.md',
)

/** The address at which the examples believe the service to be. */
const exampleAddress = 'http://127.0.0.1:8080'

interface Example {
  readonly line: number
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** Form fields, each with the name of the file to send. */
  readonly files: readonly (readonly [string, string])[]
  /** The status; null for any success. */
  readonly status: number | null
  readonly answerHeaders: readonly (readonly [string, string])[]
  readonly answerBody: string | undefined
}

const headersOf = (lines: readonly string[]): [string, string][] =>
  lines.map(line => {
    const colon = line.indexOf(':')
    if (colon < 1) throw new Error(`'${line}' is no header`)
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  })

/** Head and body, apart at the first empty line. */
const splitMessage = (text: string): { first: string; headers: [string, string][]; body: string | undefined } => {
  const [head = '', ...rest] = text.trim().split('\n\n')
  const [first = '', ...lines] = head.split('\n')
  return { first, headers: headersOf(lines), body: rest.length > 0 ? rest.join('\n\n') : undefined }
}

const fromHttp = ({ line, text }: CodeBlock): Example => {
  const at = text.search(/^HTTP\/1\.1 \d/m)
  if (at < 0) throw new Error(`The example at line ${line} shows no answer.`)
  const request = splitMessage(text.slice(0, at))
  const answered = splitMessage(text.slice(at))
  const [method = '', target = ''] = request.first.split(' ')
  return {
    line,
    method,
    target,
    headers: Object.fromEntries(request.headers),
    // The lines of a multipart body end as RFC 2046 wants them.
    body: /^multipart/.test(new Headers(request.headers).get('content-type') ?? '')
      ? request.body?.replaceAll('\n', '\r\n')
      : request.body,
    files: [],
    status: Number(answered.first.split(' ')[1]),
    answerHeaders: answered.headers,
    answerBody: answered.body,
  }
}

/** The words of a shell line: quotes taken off. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? ''),
  )

const readField = (text: string): readonly [string, string] => {
  const [, field, file] = /^([^=]+)=@(.+)$/.exec(text) ?? []
  if (!field || !file) throw new Error(`'${text}' is no file of a form`)
  return [field, file]
}

const fromCurl = (command: string, line: number): Example => {
  const example = {
    method: '',
    headers: {} as Record<string, string>,
    body: undefined as string | undefined,
    target: '',
    files: [] as (readonly [string, string])[],
  }
  const words = wordsOf(command).slice(1)
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    const value = (): string => words[++at] ?? ''
    if (word === '-X') example.method = value()
    else if (word === '-d') example.body = value()
    else if (word === '-F') example.files.push(readField(value()))
    else if (word === '-o') value()
    else if (word === '-u') example.headers.Authorization = `Basic ${btoa(value())}`
    else if (word === '-H') example.headers = { ...example.headers, ...Object.fromEntries(headersOf([value()])) }
    else if (word.startsWith('http')) example.target = word
    else if (!/^-[gis]+$/.test(word)) throw new Error(`'${word}' at line ${line} is not understood here`)
  }
  if (/[[\]{}]/.test(example.target) && !/ -\w*g/.test(command)) throw new Error(`curl at line ${line} needs -g`)
  const isRead = example.body === undefined && example.files.length === 0
  const method = example.method || (isRead ? 'GET' : 'POST')
  return { ...example, method, line, status: null, answerHeaders: [], answerBody: undefined }
}

const fromShell = ({ line, text }: CodeBlock, after: CodeBlock | undefined): Example[] => {
  const examples: Example[] = []
  for (const [at, command] of text.replaceAll('\\\n', ' ').split('\n').entries()) {
    const status = /^# (\d{3})\b/.exec(command)?.[1]
    const last = examples.at(-1)
    if (command.startsWith('curl ')) examples.push(fromCurl(command, line + at + 1))
    else if (status && last) examples[examples.length - 1] = { ...last, status: Number(status) }
  }
  const last = examples.at(-1)
  const isAnswer = after?.follows && (after.language === 'json' || after.language === 'xml')
  if (last && isAnswer) examples[examples.length - 1] = { ...last, answerBody: after.text }
  return examples
}

const examplesOf = (page: string): Example[] => {
  const blocks = codeBlocksOf(readFileSync(new URL(page, root), 'utf8'))
  return blocks.flatMap((block, at) => {
    if (block.language === 'http') return [fromHttp(block)]
    return block.language === 'sh' ? fromShell(block, blocks[at + 1]) : []
  })
}

const left = '…'

/** JSON in which a lone … stands for further fields or entries. */
const readExcerpt = (text: string): unknown => {
  const open: string[] = []
  const json = text.replace(/"(?:[^"\\]|\\.)*"|[[\]{}]|…/g, token => {
    if (token === '[' || token === '{') open.push(token)
    else if (token === ']' || token === '}') open.pop()
    else if (token === left) return open.at(-1) === '{' ? `"${left}":0` : `"${left}"`
    return token
  })
  return JSON.parse(json)
}

type Kept = Map<string, string>

const name = /<([a-z][a-z-]*)>/

/** Does the text fit, … being anything? What stands where a <word> is kept. */
const fits = (expected: string, actual: string, kept: Kept): boolean => {
  const names: string[] = []
  const parts = expected.split(/(…|<[a-z][a-z-]*>)/).map(part => {
    const word = name.exec(part)?.[1]
    if (word !== undefined) names.push(word)
    if (word !== undefined) return '(.+)'
    return part === left ? '.*' : part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  })
  const found = new RegExp(`^${parts.join('')}$`, 's').exec(actual)
  for (const [at, word] of names.entries()) if (found) kept.set(word, found[at + 1] ?? '')
  return found !== null
}

/** The first place where the two differ; null when they agree. */
const difference = (expected: unknown, actual: unknown, kept: Kept, at = ''): string | null => {
  const differs = `${at || 'the body'} is ${JSON.stringify(actual)?.slice(0, 500)}`
  if (typeof expected === 'string') return typeof actual === 'string' && fits(expected, actual, kept) ? null : differs
  if (typeof expected !== 'object' || expected === null) return expected === actual ? null : differs
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual) !== Array.isArray(expected)) return differs
  const isOpen = Array.isArray(expected) ? expected.at(-1) === left : left in expected
  const expectedHeaders = Object.entries(expected).filter(
    ([key, value]) => key !== left && !(Array.isArray(expected) && value === left),
  )
  if (!isOpen && Object.keys(actual).length !== expectedHeaders.length) return differs
  for (const [key, value] of expectedHeaders) {
    const found = difference(value, (actual as Record<string, unknown>)[key], kept, `${at}/${key}`)
    if (found) return found
  }
  return null
}

const isXml = (text: string): boolean => text.trimStart().startsWith('<?xml')

const bodyDifference = (expected: string, { text, body }: Answer, kept: Kept): string | null => {
  if (body !== undefined) return difference(readExcerpt(expected), body, kept)
  if (!isXml(expected)) return difference(expected, text.replaceAll('\r\n', '\n'), kept)
  const plain = (xml: string) =>
    xml
      .replace(/>\s+</g, '><')
      .replace(/\s*…\s*/g, left)
      .trim()
  const pieces = plain(expected).split(left)
  let from = 0
  for (const piece of pieces) {
    const found = plain(text).indexOf(piece, from)
    if (found < 0) return `${piece} is not in ${text}`
    from = found + piece.length
  }
  return null
}

const formOf = async (files: Example['files']): Promise<{ body: Uint8Array; headers: Record<string, string> }> => {
  const form = new FormData()
  for (const [field, file] of files)
    form.append(field, new Blob([file.endsWith('.png') ? await picture(400, 200) : 'some words']), file)
  const framed = new Response(form)
  const type = framed.headers.get('content-type') ?? ''
  return { body: new Uint8Array(await framed.arrayBuffer()), headers: { 'Content-Type': type } }
}

/** Pages about the application of the example, which the tutorial builds. */
const libraryPages = new Set(['docs/tutorial.md', 'docs/curl.md'])

/** Pages about resources that they declare: the module in their first block of TypeScript. */
const declaringPages = new Set(['docs/file-fields.md'])

const isModule = (value: unknown): value is Module =>
  typeof value === 'object' && value !== null && 'resources' in value

const modulesIn = async (page: string): Promise<readonly Module[]> => {
  const [sample] = samplesOf(page, readFileSync(new URL(page, root), 'utf8'))
  if (!sample) throw new Error(`${page} declares no module`)
  const folder = new URL('dist/docs-examples/', root)
  const file = new URL(`${page.replaceAll(/[^a-z]+/g, '-')}.ts`, folder)
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, sample.text)
  const declared = (await import(fileURLToPath(file))) as Record<string, unknown>
  return Object.values(declared).filter(isModule)
}

const start = async (page: string) => {
  if (declaringPages.has(page)) return startPlinth({ modules: await modulesIn(page) })
  return libraryPages.has(page) ? startPlinth({ app: library }) : startService('sqlite')
}

// Each page has a service of its own.
describe.each(everyThird(pages))('%s', page => {
  const examples = examplesOf(page)
  // No date that a page could show stays ahead.
  const kept: Kept = new Map([['in-a-month', new Date(Date.now() + 30 * 24 * 3600_000).toISOString()]])
  let service: { readonly url: string; stop(): Promise<void> }
  if (examples.length === 0) {
    test('has no examples', () => expect(examples).toEqual([]))
    return
  }
  beforeAll(async () => {
    service = await start(page)
  })
  afterAll(() => service?.stop())

  const known = (text: string): string =>
    text
      .replaceAll(exampleAddress, service.url)
      .replace(/<([a-z][a-z-]*)>/g, (whole, word: string) => kept.get(word) ?? whole)

  const send = async ({ method, target, headers, body, files }: Example): Promise<Answer> => {
    const path = known(target).replace(service.url, '')
    const sent = Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, known(value)]))
    const form = files.length > 0 ? await formOf(files) : null
    return clientFor(service.url, {})(path, {
      method,
      headers: { ...sent, ...form?.headers },
      ...(body !== undefined && { body: known(body) }),
      ...(form && { body: form.body }),
    })
  }

  /** What is not as shown; null when everything is. */
  const compare = (answer: Answer, { status, answerHeaders, answerBody }: Example): string | null => {
    const isExpected = status === null ? answer.status < 300 : answer.status === status
    if (!isExpected) return `${answer.status} ${answer.text}`
    for (const [key, value] of answerHeaders) {
      const actual = answer.headers.get(key) ?? 'not there'
      if (!fits(known(value), actual, kept)) return `${key}: ${actual}`
    }
    // A word to be kept must not be replaced by what an earlier example kept under it.
    return answerBody === undefined
      ? null
      : bodyDifference(answerBody.replaceAll(exampleAddress, service.url), answer, kept)
  }

  test.each(examples.map(example => [example.line, `${example.method} ${example.target}`, example] as const))(
    'line %i: %s',
    async (_line, _title, example) => {
      const ask = async () => compare(await send(example), example)
      // What is done in the background, such as sending mails, takes a moment: reads wait for it.
      if (example.method === 'GET') await expect.poll(ask, { timeout: 4000 }).toBeNull()
      else expect(await ask()).toBeNull()
    },
  )
})
