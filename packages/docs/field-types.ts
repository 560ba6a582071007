// Field types and their options, as their definitions and doc comments describe them.

import { readdirSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { fieldOptions } from '../plinth/src/core/model/fields/value.ts'
import * as fields from '../plinth/src/core/model/fields.ts'
import { file, image } from '../plinth/src/modules/files/index.ts'

/** One example of every type: what it is made of does not depend on its options. */
const examples = {
  text: fields.text(),
  longText: fields.longText(),
  email: fields.email(),
  phone: fields.phone(),
  url: fields.url(),
  webLink: fields.webLink(),
  secret: fields.secret(),
  integer: fields.integer(),
  decimal: fields.decimal({ scale: 2 }),
  money: fields.money(),
  sequence: fields.sequence({ format: '{0}' }),
  boolean: fields.boolean(),
  choice: fields.choice(['a', 'b']),
  date: fields.date(),
  timestamp: fields.timestamp(),
  duration: fields.duration(),
  geo: fields.geo(),
  vector: fields.vector(384),
  textList: fields.textList(),
  map: fields.map(),
  file: file(),
  image: image(),
  json: fields.json(),
} as const

export const fieldTypeRows = (): string[][] =>
  Object.entries(examples).map(([name, { type, optionNames }]) => {
    const own = Object.keys(optionNames).filter(option => !Object.hasOwn(fieldOptions, option))
    return [`\`${name}\``, schemaOf(type.schema), type.column, own.map(option => `\`${option}\``).join(', ')]
  })

const schemaOf = ({ type, format }: { readonly type?: unknown; readonly format?: unknown }): string =>
  [type, format].filter(Boolean).join(', ')

const source = new URL('../plinth/src/core/model/', import.meta.url)
const files = [
  'field-options.ts',
  ...readdirSync(new URL('fields/', source)).map(name => `fields/${name}`),
  '../../modules/files/fields.ts',
]

/** The options in the order of their declarations, each once for each meaning. */
export const fieldOptionRows = (): string[][] => {
  const rows = new Map<string, string[]>()
  for (const file of files) {
    const text = readFileSync(new URL(file, source), 'utf8')
    const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
    tree.forEachChild(node => {
      if (!ts.isInterfaceDeclaration(node) || !/Options$/.test(node.name.text)) return
      for (const member of node.members.filter(ts.isPropertySignature)) {
        const name = member.name.getText(tree)
        const comment = commentOf(member)
        const isKnown = [...rows.keys()].some(key => key.startsWith(`${name} `))
        // An option can mean something else in another type, which says so.
        if (isKnown && comment === '') continue
        rows.set(`${name} ${comment}`, [`\`${name}\``, `\`${member.type?.getText(tree)}\``, comment])
      }
    })
  }
  return [...rows.values()]
}

const commentOf = (node: ts.Node): string =>
  ts
    .getJSDocCommentsAndTags(node)
    .map(({ comment }) => (typeof comment === 'string' ? comment : ''))
    .join(' ')
    .replaceAll(/\s+/g, ' ')
