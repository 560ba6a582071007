// `plinth generate page`: writes an area of the web client with its page, and lists it in the `web` of the module.

import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import type { NameForms } from './name-forms.ts'
import { addProperty, addToList } from './source-list.ts'
import { writeNew } from './write-new.ts'

/** `code` is `ts` or `js`, as in the rest of the application. */
type Extension = 'ts' | 'js'

const areaText = (
  { kebab, camel, title }: NameForms,
  code: Extension,
): string => `import { defineArea } from '@plinth/web'
import { lazy } from 'react'

export const ${camel}Area = defineArea({
  path: '${kebab}',
  title: '${title}',
  access: 'caller.signedIn',
  page: lazy(() => import('./${kebab}-page.${code}x')),
})
`

const pageText = ({ pascal, title }: NameForms): string => `import { PageHeader } from '@plinth/web'

const ${pascal}Page = () => <PageHeader title="${title}" />

export default ${pascal}Page
`

const webText = "import { defineWeb } from '@plinth/web'\n\nexport default defineWeb({ areas: [] })\n"

const isInstalled = (folder: string, name: string): boolean => {
  try {
    createRequire(join(folder, 'index.js')).resolve(`${name}/package.json`)
    return true
  } catch {
    return false
  }
}

interface PageToGenerate {
  /** The folder of the module. */
  readonly folder: string
  readonly forms: NameForms
  readonly code: Extension
}

/** Returns what was done, for the user. */
export const generatePage = async ({ folder, forms, code }: PageToGenerate): Promise<readonly string[]> => {
  const { kebab, camel } = forms
  const index = `index.${code}x`
  const [page, area] = [join(folder, 'web', `${kebab}-page.${code}x`), join(folder, 'web', `${kebab}-area.${code}`)]
  const [web, module] = [join(folder, 'web', index), join(folder, `index.${code}`)]
  await writeNew(page, pageText(forms))
  await writeNew(area, areaText(forms, code))
  const known = existsSync(web) ? await readFile(web, 'utf8') : webText
  const name = `${camel}Area`
  const addition = {
    call: 'defineWeb',
    list: 'areas',
    name,
    alias: `${name}2`,
    from: `./${kebab}-area.${code}`,
  } as const
  const listed = addToList(known, addition)
  if (listed !== undefined) await writeFile(web, listed)
  const property = { call: 'defineModule', name: 'web', value: `'./web/${index}'` } as const
  const named = addProperty(await readFile(module, 'utf8'), property)
  if (named !== undefined) await writeFile(module, named)
  const path = (file: string): string => relative(process.cwd(), file)
  return [
    `Created ${path(page)}`,
    `Created ${path(area)}`,
    listed === undefined
      ? `Add ${name} to the areas in ${path(web)}: the list was not found.`
      : `Added ${name} to the areas in ${path(web)}`,
    ...(named === undefined ? [`Add web: ${property.value} to the module in ${path(module)}.`] : []),
    ...(isInstalled(folder, '@plinth/web')
      ? []
      : ['Install what pages need: npm install --save-dev @plinth/web (README.md says how without a registry)']),
    `Then open /client/${kebab}`,
  ]
}
