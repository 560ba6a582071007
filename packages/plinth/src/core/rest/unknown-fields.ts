// Unknown fields in bodies, for services that are strict about them: each is a fault, with the field that was probably meant.

import { isObject } from '../formats/body.ts'
import { toToken } from '../model/json.ts'
import type { ValueType } from '../model/value-field.ts'
import type { Fault } from '../problem.ts'
import { unknownField } from '../records/unknown-field.ts'

/** What the formats write beside the fields of a value: callers may send it back. */
const beside: ReadonlySet<string> = new Set(['links', '_links', '_embedded'])

/** The names among those that were sent that are none of the known ones. */
export const unknownNames = (sent: object, known: readonly string[]): readonly string[] =>
  Object.keys(sent).filter(name => !known.includes(name) && !beside.has(name))

export interface SentPart {
  readonly pointer: string
  /** The field of the body that the part belongs to. */
  readonly member: string
}

/** Unknown parts of a value, at any depth. */
export const unknownParts = (type: ValueType, sent: unknown, { pointer, member }: SentPart): readonly Fault[] => {
  if (Array.isArray(sent)) {
    const entry = type.items?.type ?? (type.parts && type)
    return entry ? sent.flatMap((one, at) => unknownParts(entry, one, { pointer: `${pointer}/${at}`, member })) : []
  }
  const { parts, entries } = type
  if (!parts || !isObject(sent)) return []
  const names = Object.keys(parts)
  const unknown = entries ? [] : unknownNames(sent, names)
  return [
    ...unknown.map(name => ({ pointer: `${pointer}/${toToken(name)}`, member, ...unknownField(name, names) })),
    ...names.flatMap(name => {
      const part = parts[name]
      if (!part || !Object.hasOwn(sent, name)) return []
      return unknownParts(part.type, sent[name], { pointer: `${pointer}/${toToken(name)}`, member })
    }),
  ]
}
