// The examples in the comments of what `@plinth/client` and its other entries export.

import { fileURLToPath } from 'node:url'
import { commentExamples, compileExamples } from '@plinth/test-kit/comment-examples'
import { expect, test } from 'vitest'

const pathOf = (file: string): string => fileURLToPath(new URL(`../${file}`, import.meta.url))

const readEntry = async (name: string, file: string) => {
  // By its path, so that the compiler reads no types of React into a program without those of browsers.
  const values: object = await import(pathOf(file))
  return { name, values: Object.keys(values), examples: commentExamples(pathOf(file)) }
}

const entries = [
  await readEntry('@plinth/client', 'src/index.ts'),
  await readEntry('@plinth/client/react', 'src/react.ts'),
  await readEntry('@plinth/client/react-admin', 'src/react-admin.ts'),
]

/** What examples take from their surroundings. */
const surroundings = `
import type { LibrarySchema } from 'library-schema/library-schema.ts'
import type { JsonPage } from '@plinth/client'
import type { QueryClient } from '@tanstack/react-query'
import { defineApp, defineModule, type SchemaOf } from 'plinth'

const app = defineApp({ name: 'Library', modules: [defineModule({ name: 'library', about: 'Books.', resources: [] })] })
const client = createClient<LibrarySchema>()
type Book = { readonly pk: string }
declare const queries: QueryClient
declare const localStorage: Parameters<typeof storeTokensIn>[0]
declare const error: unknown
declare const key: string
declare const search: string
declare const show: (...texts: readonly unknown[]) => void
`

test('every example compiles', async () => {
  const imports = entries.map(({ name, values }) => `import { ${values.join(', ')} } from '${name}'`)
  const said = await compileExamples({
    examples: new Map(entries.flatMap(({ examples }) => [...examples])),
    preamble: imports.join('\n') + surroundings,
    packages: {
      '@plinth/client': pathOf('.'),
      '@tanstack/react-query': pathOf('../../node_modules/@tanstack/react-query'),
      'library-schema': pathOf('test'),
      plinth: pathOf('../plinth'),
    },
  })
  expect(said).toBe('')
})

test.each(entries)('each value of $name has an example', ({ values, examples }) => {
  expect(values.filter(name => !examples.has(name))).toEqual([])
})
