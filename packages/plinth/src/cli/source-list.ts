// Adds a name to a list in a source file, such as a resource to the `resources` of a module, with its import. The rest of the file
// keeps its format.

type DefinitionCall = 'defineModule' | 'defineApp' | 'defineWeb'

/** The list to which a name belongs, and the file that it comes from. */
export interface ListAddition {
  /** The function whose argument has the list: `defineModule({ … })`. */
  readonly call: DefinitionCall
  /** The property with the list: `resources`. */
  readonly list: string
  readonly name: string
  /** Is used if the file has another meaning for `name`. */
  readonly alias: string
  /** The path to import it from. */
  readonly from: string
}

const textsAndComments = /\/\/.*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`/g

/** The source with the same positions, but without brackets and words that are not code. */
const codeOf = (source: string): string =>
  source.replaceAll(textsAndComments, part => part.replaceAll(/[^\n]/g, part.startsWith('/') ? ' ' : '_'))

const closingOf = (code: string, open: number): number | undefined => {
  let depth = 0
  for (let at = open; at < code.length; at++) {
    if ('([{'.includes(code.charAt(at))) depth++
    else if (')]}'.includes(code.charAt(at)) && --depth === 0) return at
  }
  return undefined
}

/** Finds the beginning of a property's value, in the object that opens here. Objects inside it are skipped. */
const positionOfValue = (code: string, open: number, name: string): number | undefined => {
  const property = new RegExp(`(?<![\\w$.])${name}\\s*:\\s*`, 'y')
  const end = closingOf(code, open) ?? open
  for (let at = open + 1; at < end; at++) {
    property.lastIndex = at
    if (property.test(code)) return property.lastIndex
    if ('([{'.includes(code.charAt(at))) at = closingOf(code, at) ?? end
  }
  return undefined
}

/** Adds an item to the list or object that opens here, on a line of its own if the others have one. */
const append = (source: string, open: number, item: string): string | undefined => {
  const code = codeOf(source)
  const close = closingOf(code, open)
  if (close === undefined) return undefined
  const items = code.slice(open + 1, close).trimEnd()
  const end = open + 1 + items.length
  if (items === '') return source.slice(0, open + 1) + item + source.slice(close)
  const comma = items.endsWith(',') ? '' : ','
  const [indent] = /^[ \t]*/.exec(source.slice(source.lastIndexOf('\n', end - 1) + 1)) ?? ['']
  const hasLines = code.slice(open, close).includes('\n')
  const added = hasLines ? `${comma}\n${indent}${item},` : `${comma} ${item}`
  return source.slice(0, end) + added + source.slice(end)
}

const importStatement = /^import\s[^'"]*?from\s*(['"])([^'"]+)\1(;?)[ \t]*$/gm

/** Adds an import among those of files, by path. */
const addImport = (source: string, names: string, from: string): string => {
  const imports = [...source.matchAll(importStatement)]
  const last = imports.at(-1)
  const [, quote = "'", , semicolon = ''] = last ?? []
  const statement = `import { ${names} } from ${quote}${from}${quote}${semicolon}`
  const next = imports.find(([, , path = '']) => path.startsWith('.') && path > from)
  if (next) return `${source.slice(0, next.index)}${statement}\n${source.slice(next.index)}`
  if (!last) return `${statement}\n\n${source}`
  const end = last.index + last[0].length
  return `${source.slice(0, end)}\n${statement}${source.slice(end)}`
}

/** Finds the object that is the argument of the call; undefined if the file has no such call, or more than one. */
const openingOf = (code: string, call: DefinitionCall): number | undefined => {
  const [found, another] = [...code.matchAll(new RegExp(`\\b${call}\\(\\s*\\{`, 'g'))]
  return found && !another ? found.index + found[0].length - 1 : undefined
}

interface AddedProperty {
  readonly call: DefinitionCall
  readonly name: string
  /** The value as code. */
  readonly value: string
}

/** Leaves the source as it is if it has the property. Returns undefined if the file has no such call, or more than one. */
export const addProperty = (source: string, { call, name, value }: AddedProperty): string | undefined => {
  const code = codeOf(source)
  const open = openingOf(code, call)
  if (open === undefined) return undefined
  return positionOfValue(code, open, name) === undefined ? append(source, open, `${name}: ${value}`) : source
}

/** Returns undefined if the file has no such call, or more than one, or if the property is not a list. */
export const addToList = (source: string, { call, list, name, alias, from }: ListAddition): string | undefined => {
  const code = codeOf(source)
  const open = openingOf(code, call)
  if (open === undefined) return undefined
  const isTaken = new RegExp(`(?<![\\w$.])${name}(?![\\w$])`).test(code)
  const local = isTaken ? alias : name
  const value = positionOfValue(code, open, list)
  if (value !== undefined && code[value] !== '[') return undefined
  const added = value === undefined ? append(source, open, `${list}: [${local}]`) : append(source, value, local)
  return added && addImport(added, isTaken ? `${name} as ${alias}` : name, from)
}
