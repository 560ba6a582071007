// A strict reader for the XML that a test expects: elements, attributes, text and the five entities, nothing else.

export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly Element[]
  readonly text: string
}

interface OpenElement extends Element {
  readonly attributes: Record<string, string>
  readonly children: Element[]
  text: string
}

// Section 2.2, written as what is allowed.
const characters = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u
const tag = /<(\/?)([A-Za-z_][\w.-]*)((?: [A-Za-z_][\w.-]*="[^"<]*")*)(\/?)>/y
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const decode = (text: string): string => {
  if (/[<>]/.test(text)) throw new Error(`a bare bracket in '${text}'`)
  return text.replace(/\r\n?/g, '\n').replace(/&([^;]*);?/g, (whole, name: string) => {
    const code = /^#(\d+)$/.exec(name)?.[1]
    const character = code ? String.fromCodePoint(Number(code)) : entities[name]
    if (character === undefined || !whole.endsWith(';')) throw new Error(`a bad reference '${whole}'`)
    if (!characters.test(character)) throw new Error(`a reference to a forbidden character '${whole}'`)
    return character
  })
}

const readAttributes = (text: string): Record<string, string> => {
  const attributes: Record<string, string> = {}
  for (const [, name = '', value = ''] of text.matchAll(/ ([\w.-]+)="([^"]*)"/g)) {
    if (name in attributes) throw new Error(`attribute ${name} twice`)
    attributes[name] = decode(value.replace(/[\t\n\r]/g, ' '))
  }
  return attributes
}

/** The root element; throws when the text is not well-formed. */
export const readXml = (text: string): Element => {
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
  if (!text.startsWith(declaration)) throw new Error('no declaration')
  if (!characters.test(text)) throw new Error('a forbidden character')
  const document: OpenElement = { name: '', attributes: {}, children: [], text: '' }
  const open: OpenElement[] = [document]
  tag.lastIndex = declaration.length
  for (let at = tag.lastIndex; at < text.length; ) {
    const parent = open.at(-1) ?? document
    tag.lastIndex = at
    const found = tag.exec(text)
    if (!found) {
      const next = text.indexOf('<', at)
      if (next === at || parent === document) throw new Error(`no tag at ${text.slice(at, at + 30)}`)
      const end = next < 0 ? text.length : next
      parent.text += decode(text.slice(at, end))
      at = end
      continue
    }
    const [whole, closes, name = '', attributes = '', isEmpty] = found
    at += whole.length
    if (closes) {
      if (open.pop()?.name !== name || open.length === 0) throw new Error(`</${name}> closes nothing`)
      continue
    }
    const element: OpenElement = { name, attributes: readAttributes(attributes), children: [], text: '' }
    parent.children.push(element)
    if (!isEmpty) open.push(element)
  }
  const [root, ...others] = document.children
  if (open.length !== 1 || !root || others.length > 0) throw new Error('not one root element')
  return root
}

/** The elements of that name directly inside. */
export const childrenOf = (element: Element | undefined, name: string): readonly Element[] =>
  element?.children.filter(child => child.name === name) ?? []
