// The declarations of a package, as the compiler of an application reads them.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const comments = /\/\*[\s\S]*?\*\//g

/** What a file of declarations imports, whether by a statement or inside a type. */
export const importsOf = (text: string): readonly string[] =>
  [...text.replaceAll(comments, '').matchAll(/(?:\bfrom\s*|\bimport\s*\(\s*|^import\s+)['"]([^'"\s;]+)['"]/gm)].map(
    ([, target = '']) => target,
  )

/** The entries and all files that they import, as paths below the folder. */
export const reachableDeclarations = (folder: string, entries: readonly string[]): readonly string[] => {
  const found = new Set<string>()
  const visit = (file: string): void => {
    if (found.has(file)) return
    found.add(file)
    for (const target of importsOf(readFileSync(join(folder, file), 'utf8')))
      if (target.startsWith('.')) visit(join(file, '..', target).replace(/\.(tsx?|js)$/, '.d.ts'))
  }
  for (const entry of entries) visit(entry)
  return [...found].sort()
}
