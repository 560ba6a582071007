// Reads XML piece by piece.

import type { Readable } from 'node:stream'
import type { QualifiedTag, Tag } from 'sax'
import sax from 'sax'
import { Problem } from '../../problem.ts'
import { type Archive, maxAttributes, maxDepth, openPart, suspicious, unreadable } from './xlsx-archive.ts'

interface XmlHandlers {
  open?(name: string, attributes: Readonly<Record<string, string>>): void
  text?(text: string): void
  close?(name: string): void
}

/** Calls the handlers for each element, and yields after each piece of the text. Prefixes of names are left out. */
export async function* parseXml(content: Readable, { open, text, close }: XmlHandlers): AsyncGenerator<void> {
  const parser = sax.parser(true)
  const local = (name: string): string => name.slice(name.indexOf(':') + 1)
  let [depth, attributes] = [0, 0]
  parser.onattribute = () => {
    attributes += 1
    if (attributes > maxAttributes) throw suspicious('an element has too many attributes')
  }
  parser.onopentag = (tag: Tag | QualifiedTag) => {
    attributes = 0
    depth += 1
    if (depth > maxDepth) throw suspicious(`its elements are nested more than ${maxDepth} deep`)
    open?.(local(tag.name), tag.attributes as Readonly<Record<string, string>>)
  }
  parser.ontext = piece => text?.(piece)
  parser.oncdata = piece => text?.(piece)
  parser.onclosetag = name => {
    depth -= 1
    close?.(local(name))
  }
  parser.onerror = error => {
    throw unreadable(error)
  }
  try {
    for await (const piece of content) {
      parser.write(piece)
      yield
    }
    parser.close()
  } catch (error) {
    throw error instanceof Problem ? error : unreadable(error)
  }
  yield
}

export interface WholePart {
  readonly path: string
  readonly maxBytes?: number
}

export const parseWhole = async (
  archive: Archive,
  { path, maxBytes }: WholePart,
  handlers: XmlHandlers,
): Promise<boolean> => {
  const content = await openPart(archive, path, maxBytes)
  if (!content) return false
  for await (const _ of parseXml(content, handlers));
  return true
}
