import { expect, test } from 'vitest'
import { addProperty, addToList } from './source-list.ts'

const addition = {
  call: 'defineModule',
  list: 'resources',
  name: 'loans',
  alias: 'loansResource',
  from: './loans.ts',
} as const

const module = (body: string, imports = "import { defineModule } from 'plinth'"): string =>
  `${imports}\n\nexport const library = defineModule({${body}})\n`

/** The argument of the call after the addition. */
const bodyAfter = (body: string): string | undefined =>
  /defineModule\(\{([\s\S]*)\}\)/.exec(addToList(module(body), addition) ?? '')?.[1]

test.each([
  ['an empty list', " name: 'a', resources: [] ", " name: 'a', resources: [loans] "],
  ['a list in one line', ' resources: [a, b] ', ' resources: [a, b, loans] '],
  [
    'a list in lines',
    '\n  resources: [\n    a,\n    b,\n  ],\n',
    '\n  resources: [\n    a,\n    b,\n    loans,\n  ],\n',
  ],
  ['no last comma', '\n  resources: [\n    a\n  ]\n', '\n  resources: [\n    a,\n    loans,\n  ]\n'],
  ['no list', "\n  name: 'a',\n", "\n  name: 'a',\n  resources: [loans],\n"],
  ['a comment after the last', ' resources: [a /* ] */] ', ' resources: [a, loans /* ] */] '],
  [
    'a text with a bracket',
    " about: 'resources: [x', resources: [a] ",
    " about: 'resources: [x', resources: [a, loans] ",
  ],
  [
    'another list inside',
    ' f: () => ({ resources: [x] }), resources: [a] ',
    ' f: () => ({ resources: [x] }), resources: [a, loans] ',
  ],
  ['a longer name', ' moreresources: [x], resources: [a] ', ' moreresources: [x], resources: [a, loans] '],
])('%s gets the name', (_, before, after) => {
  expect(bodyAfter(before)).toBe(after)
})

test('the import is put in its place, in the style of the others', () => {
  const imports = `import { defineModule } from "plinth";\nimport { a } from "./a.ts";\nimport {\n  z,\n} from "./z.ts";`
  expect(addToList(module(' resources: [a, z] ', imports), addition)).toContain(
    'import { a } from "./a.ts";\nimport { loans } from "./loans.ts";\nimport {\n  z,\n} from "./z.ts";\n',
  )
  expect(addToList('export default defineModule({})', addition)).toBe(
    "import { loans } from './loans.ts'\n\nexport default defineModule({resources: [loans]})",
  )
})

test('a name that the file uses for something else is imported by another', () => {
  const text = addToList(module(' resources: [] ').replace('library', 'loans'), addition)
  expect(text).toContain("import { loans as loansResource } from './loans.ts'")
  expect(text).toContain('resources: [loansResource]')
})

test.each([
  ['no call', "export const name = 'defineModule({})'\n"],
  ['two calls', module('') + module('')],
  ['a list that is computed', module(' resources: all() ')],
  ['brackets that do not match', 'defineModule({ resources: ['],
])('%s is left to the user', (_, source) => {
  expect(addToList(source, addition)).toBeUndefined()
})

test('a property is added once', () => {
  const property = { call: 'defineModule', name: 'web', value: "'./web/index.tsx'" } as const
  const added = addProperty(module("\n  name: 'a',\n"), property)
  expect(added).toContain("\n  name: 'a',\n  web: './web/index.tsx',\n")
  expect(addProperty(added ?? '', property)).toBe(added)
  expect(addProperty('export const a = 1', property)).toBeUndefined()
})
