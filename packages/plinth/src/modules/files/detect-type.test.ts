import { expect, test } from 'vitest'
import { isAllowedType } from '../../core/formats/allowed-type.ts'
import { detectType } from './detect-type.ts'

const archiveOf = (...names: string[]): Buffer =>
  Buffer.concat(names.map(name => Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(26), Buffer.from(name)])))

test.each<[string, Buffer, string]>([
  ['a picture', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'image/png'],
  ['a PDF', Buffer.from('%PDF-1.7 …'), 'application/pdf'],
  ['an archive', archiveOf('a.txt'), 'application/zip'],
  [
    'a text document of an office',
    archiveOf('[Content_Types].xml', '_rels/.rels', 'word/document.xml'),
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ],
  [
    'an open spreadsheet',
    archiveOf('mimetypeapplication/vnd.oasis.opendocument.spreadsheet'),
    'application/vnd.oasis.opendocument.spreadsheet',
  ],
  ['a film', Buffer.from('\0\0\0\x20ftypisom'), 'video/mp4'],
  ['a song', Buffer.from('ID3\x04'), 'audio/mpeg'],
  ['text', Buffer.from('Größe;1\r\nLänge;2\n'), 'text/plain'],
  ['text that is cut in a character', Buffer.from('Größe').subarray(0, 4), 'text/plain'],
  ['nothing', Buffer.alloc(0), 'application/octet-stream'],
  ['bytes', Buffer.from([1, 2, 3, 0]), 'application/octet-stream'],
  ['another encoding', Buffer.from('Größe und Länge', 'latin1'), 'application/octet-stream'],
])('%s is known by its content', (_, content, type) => {
  expect(detectType(content)).toBe(type)
})

test('a kind allows all of its types', () => {
  expect(isAllowedType('image/png', ['image/*'])).toBe(true)
  expect(isAllowedType('image/png', ['application/pdf', 'image/png'])).toBe(true)
  expect(isAllowedType('imagery/png', ['image/*'])).toBe(false)
  expect(isAllowedType('text/plain', ['image/*', 'application/pdf'])).toBe(false)
})
