import { describe, expect, test } from 'vitest'
import { accepts } from './choose-media-type.ts'
import type { Format } from './format.ts'
import { formatsByName } from './index.ts'
import { atomicExtension } from './json-api.ts'
import { acceptsExtensions, chooseFormat, chooseProblemFormat, formatOfBody, wantsProblems } from './negotiate.ts'

const { json, hal, 'json-api': jsonApi } = formatsByName

const chosen = (accept: string | undefined, fallback: Format = json) => chooseFormat(accept, fallback)?.name ?? null

const atomic = `ext="${atomicExtension}"`

describe('what to answer with', () => {
  test.each([
    [undefined, 'json'],
    ['', 'json'],
    ['*/*', 'json'],
    ['application/*', 'json'],
    ['application/json', 'json'],
    ['APPLICATION/Hal+JSON', 'hal'],
    ['application/vnd.api+json', 'json-api'],
    ['application/xml', 'xml'],
    ['text/xml', 'xml'],
    ['application/json;charset=utf-8', 'json'],
    ['application/json; indent=4 ; q=1', 'json'],
    ['application/json;', 'json'],
    ['application/hal+json;q=0.5, application/xml;q=0.7', 'xml'],
    ['application/hal+json;q=0.5, application/xml;q=.7', 'xml'],
    ['application/xml, application/hal+json', 'hal'],
    ['application/xml, application/json, */*', 'json'],
    ['application/xml;q=0.9,*/*;q=0.8', 'xml'],
    ['application/xml;q=0.2, */*;q=0.8', 'json'],
    ['*/*, application/json;q=0', 'hal'],
    ['application/*;q=0.1, application/json;q=0, application/hal+json;q=0', 'json-api'],
    ['application/*;q=0, */*', null],
    ['application/json;q=0', null],
    ['image/png', null],
    ['text/*', null],
    ['text/html, image/png;q=0.5', null],
    ['nonsense', 'json'],
    ['nonsense, application/hal+json', 'hal'],
    ['application/json;q=2, application/hal+json;q=0.1', 'hal'],
    ['application/json;q=x;q=1, application/hal+json', 'hal'],
    ['application/json;broken, application/hal+json', 'hal'],
    [',, ,application/hal+json,,', 'hal'],
    ['application/hal+json;title="a,b;c\\"d", image/png', 'hal'],
    ['application/hal+json;title="never ends, application/json', 'json'],
    ['application/problem+json', 'json'],
    ['application/problem+xml', 'xml'],
    ['application/hal+json, application/problem+json', 'hal'],
    ['application/hal+json;q=0.1, application/problem+json', 'hal'],
    ['application/problem+json;q=0', null],
  ])('to %j is %s', (accept, expected) => {
    expect(chosen(accept)).toBe(expected)
    expect(chosen(accept)).toBe(expected)
  })

  test.each([
    [undefined, 'json-api'],
    ['*/*', 'json-api'],
    ['application/*;q=0.3', 'json-api'],
    ['application/json, application/vnd.api+json', 'json-api'],
    ['application/json, application/xml', 'json'],
    ['*/*, application/vnd.api+json;q=0.5', 'json'],
  ])('to %j is %s where JSON:API is the default', (accept, expected) => {
    expect(chosen(accept, jsonApi)).toBe(expected)
  })

  test.each([
    ['application/vnd.api+json;profile="http://example.org/p"', 'json-api'],
    ['application/vnd.api+json;charset=utf-8', 'json-api'],
    ['application/vnd.api+json;ext=""', 'json-api'],
    ['application/vnd.api+json;foo=1', null],
    ['application/vnd.api+json;charset=latin1', null],
    ['application/vnd.api+json;foo=1, application/vnd.api+json', 'json-api'],
    ['application/vnd.api+json;foo=1, application/vnd.api+json;bar=2', null],
    ['application/vnd.api+json;foo=1, application/json', null],
    ['application/vnd.api+json;foo=1;q=0, application/json', 'json'],
    ['application/vnd.api+json;ext="http://example.org/x"', null],
    ['application/vnd.api+json;ext="http://example.org/x", application/vnd.api+json;q=0.1', 'json-api'],
    [`application/vnd.api+json;${atomic}`, null],
  ])('to the parameters of JSON:API in %j is %s', (accept, expected) => {
    expect(chosen(accept)).toBe(expected)
  })

  test('is JSON:API with the atomic extension only where that is spoken', () => {
    const accept = `application/vnd.api+json; ${atomic}`
    expect(acceptsExtensions(accept, jsonApi)).toBe(true)
    expect(acceptsExtensions(accept.replace('atomic"', 'atomic http://x.org"'), jsonApi)).toBe(false)
    expect(chooseFormat(accept, jsonApi)).toBeNull()
  })

  test.each([
    ['","'.repeat(5000)],
    ['"\\'.repeat(8000)],
    ['a/b;'.repeat(4000)],
    ['a/b;c="d",'.repeat(1600)],
    [`application/json;q=0.${'1'.repeat(16000)}`],
    [`${' '.repeat(16000)}x`],
  ])('is found at once for hostile headers', accept => {
    expect(['json', null]).toContain(chosen(accept))
  })
})

describe('problem bodies', () => {
  test.each([
    [undefined, false],
    ['*/*', false],
    ['application/*', false],
    ['application/json', false],
    ['application/problem+json', true],
    ['application/json, application/problem+json;q=0.1', true],
    ['Application/Problem+XML', true],
    ['application/problem+json;q=0', false],
  ])('are asked for by %j: %s', (accept, expected) => {
    expect(wantsProblems(accept)).toBe(expected)
  })
})

describe('the format of a problem', () => {
  test.each([
    [undefined, 'json-api'],
    ['*/*', 'json-api'],
    ['application/vnd.api+json', 'json-api'],
    ['application/problem+json', 'json'],
    ['application/problem+xml', 'xml'],
    ['application/problem+json, */*;q=0.1', 'json'],
    ['application/problem+xml, application/problem+json;q=0.5', 'xml'],
    ['application/vnd.api+json, application/problem+json', 'json-api'],
    ['application/vnd.api+json, application/problem+json;q=0.9', 'json-api'],
    ['application/vnd.api+json;q=0.9, application/problem+json', 'json'],
  ])('for %j is %s where the answer would be JSON:API', (accept, expected) => {
    expect(chooseProblemFormat(accept, jsonApi).name).toBe(expected)
  })
})

describe('an answer of one type', () => {
  test.each([
    ['application/problem+json', true],
    ['application/problem+json, text/csv;q=0.1', true],
    ['application/problem+json, text/html', false],
    ['application/problem+json;q=0', false],
    ['text/*', true],
    ['application/json', false],
  ])('is acceptable to %j: %s', (accept, expected) => {
    expect(accepts(accept, 'text/csv')).toBe(expected)
  })
})

describe('the format of a body', () => {
  const plain = (format: Format) => ({ format, mergePatch: false, extended: false })

  test.each([
    [undefined, plain(hal)],
    ['', plain(hal)],
    ['application/json', plain(json)],
    ['application/json; charset=utf-8', plain(json)],
    ['application/json;charset="UTF-8"', plain(json)],
    ['Application/JSON;CharSet=utf8', plain(json)],
    ['application/json; odd=1', plain(json)],
    [' application/hal+json ', plain(hal)],
    ['application/vnd.api+json', plain(jsonApi)],
    ['application/vnd.api+json;charset=utf-8', plain(jsonApi)],
    ['application/vnd.api+json;profile="http://example.org/p"', plain(jsonApi)],
    [`application/vnd.api+json;${atomic}`, { ...plain(jsonApi), extended: true }],
    ['application/merge-patch+json', { ...plain(json), mergePatch: true }],
    ['application/merge-patch+json;charset=utf-8', { ...plain(json), mergePatch: true }],
  ])('called %j is known', (contentType, expected) => {
    expect(formatOfBody(contentType, hal)).toEqual(expected)
  })

  test.each([
    ['application/json;charset=utf-16'],
    ['application/json;charset=utf-8;charset=latin1'],
    ['application/merge-patch+json;charset=iso-8859-1'],
    ['application/vnd.api+json;foo=1'],
    ['application/vnd.api+json;charset=latin1'],
    ['application/vnd.api+json;ext="http://example.org/x"'],
    [`application/vnd.api+json;ext="${atomicExtension} http://example.org/x"`],
    ['application/xml'],
    ['text/xml'],
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/*'],
    ['*/*'],
    ['application/json, application/json'],
    ['json'],
    ['application/json;charset'],
    ['__proto__'],
  ])('called %j is not accepted', contentType => {
    expect(formatOfBody(contentType, json)).toBeNull()
  })
})
