import { describe, expect, test } from 'vitest'
import { type Frame, FrameFault, FrameReader, toFrame, type Version } from './stomp-frames.ts'

const readAll = (text: string | Buffer, version: Version = '1.2', limits = {}): Frame[] => {
  const reader = new FrameReader(limits)
  reader.version = version
  return [...reader.read(Buffer.from(text))]
}

const plain = ({ command, headers, body }: Frame) => [command, Object.fromEntries(headers), body.toString()]

describe('reading', () => {
  test.each<[string, string, Version, unknown[]]>([
    ['a frame without headers', 'DISCONNECT\n\n\0', '1.2', ['DISCONNECT', {}, '']],
    ['headers and a body', 'SEND\ndestination:/a\n\nhello\0', '1.2', ['SEND', { destination: '/a' }, 'hello']],
    ['lines that end as on Windows', 'SEND\r\na:b\r\n\r\nx\0', '1.2', ['SEND', { a: 'b' }, 'x']],
    ['a body with a NUL', 'SEND\ncontent-length:3\n\na\0b\0', '1.2', ['SEND', { 'content-length': '3' }, 'a\0b']],
    ['a length in bytes', 'SEND\ncontent-length:2\n\né\0', '1.2', ['SEND', { 'content-length': '2' }, 'é']],
    ['the first of repeated headers', 'SEND\na:1\na:2\n\n\0', '1.2', ['SEND', { a: '1' }, '']],
    ['a colon in a value', 'SEND\na:b:c\n\n\0', '1.2', ['SEND', { a: 'b:c' }, '']],
    ['an empty value', 'SEND\na:\n\n\0', '1.2', ['SEND', { a: '' }, '']],
    ['escapes', 'SEND\na\\cb:\\n\\r\\\\\\c\n\n\0', '1.2', ['SEND', { 'a:b': '\n\r\\:' }, '']],
    ['no escapes in CONNECT', 'CONNECT\na:\\n\n\n\0', '1.2', ['CONNECT', { a: '\\n' }, '']],
    ['no escapes in 1.0', 'SEND\na: \\n \n\n\0', '1.0', ['SEND', { a: '\\n' }, '']],
    ['heart-beats before it', '\n\r\n\nACK\n\n\0', '1.2', ['ACK', {}, '']],
  ])('%s', (_, text, version, expected) => {
    expect(readAll(text, version).map(plain)).toEqual([expected])
  })

  test('gives several frames of one message, and nothing for heart-beats', () => {
    expect(readAll('ACK\n\n\0\n\nNACK\n\n\0\n').map(one => one.command)).toEqual(['ACK', 'NACK'])
    expect(readAll('\n\r\n')).toEqual([])
  })

  test('waits for the rest, wherever a frame is cut', () => {
    const whole = Buffer.from('SEND\na:é\ncontent-length:3\n\nx\0y\0')
    for (let cut = 1; cut < whole.length; cut++) {
      const reader = new FrameReader()
      reader.version = '1.2'
      const frames = [...reader.read(whole.subarray(0, cut)), ...reader.read(whole.subarray(cut))]
      expect([cut, frames.map(plain)]).toEqual([cut, [['SEND', { a: 'é', 'content-length': '3' }, 'x\0y']]])
    }
  })

  test.each([
    ['no command', 'hello world\n\n\0'],
    ['an empty name', 'SEND\n:x\n\n\0'],
    ['no colon', 'SEND\nx\n\n\0'],
    ['an unknown escape', 'SEND\na:\\t\n\n\0'],
    ['an escape cut short', 'SEND\na:\\\n\n\0'],
    ['a length that is no number', 'SEND\ncontent-length:x\n\n\0'],
    ['a length that is not the length', 'SEND\ncontent-length:1\n\nabc\0'],
    ['a length beyond the limit', 'SEND\ncontent-length:200\n\n'],
    ['too long a header', `SEND\na:${'x'.repeat(50)}\n\n\0`],
    ['a header without an end', `SEND\na:${'x'.repeat(50)}`],
    ['too many headers', 'SEND\na:1\nb:1\nc:1\nd:1\n\n\0'],
    ['too large a frame', `SEND\n\n${'x'.repeat(150)}\0`],
    ['a frame without an end', `SEND\n\n${'x'.repeat(150)}`],
  ])('refuses %s', (_, text) => {
    expect(() => readAll(text, '1.2', { frame: 100, headers: 3, header: 40 })).toThrow(FrameFault)
  })
})

describe('writing', () => {
  test.each<[Version, string]>([
    ['1.2', 'MESSAGE\nid:a\\cb\\n\\r\\\\\ncontent-length:2\n\né\0'],
    ['1.1', 'MESSAGE\nid:a\\cb\\n \\\\\ncontent-length:2\n\né\0'],
    ['1.0', 'MESSAGE\nid:a:b  \\\ncontent-length:2\n\né\0'],
  ])('escapes as %s does', (version, text) => {
    expect(toFrame(version, 'MESSAGE', { headers: { id: 'a:b\n\r\\', none: undefined }, body: 'é' })).toBe(text)
  })

  test('what is written is read back', () => {
    const headers = { 'a:b': ':\n\\\r', plain: 'x' }
    expect(readAll(toFrame('1.2', 'MESSAGE', { headers, body: 'x\0y' })).map(plain)).toEqual([
      ['MESSAGE', { ...headers, 'content-length': '3' }, 'x\0y'],
    ])
  })
})
