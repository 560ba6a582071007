// What the pages of modules share with the web client: one React, one component library, one session. The build has files that export
// it; `shared-modules.json` names them, with what each exports. `plinth build` and `plinth dev` read it.

import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** The components that most pages use. The others are in a file of their own, so that these arrive sooner. */
const commonComponents = [
  ...['ActionIcon', 'Alert', 'Anchor', 'Avatar', 'Badge', 'Box', 'Button', 'Card', 'Center', 'Checkbox', 'Code'],
  ...['Container', 'Divider', 'Fieldset', 'FileButton', 'Flex', 'Grid', 'Group', 'Image', 'Indicator', 'Input'],
  ...['Kbd', 'List', 'Loader', 'Modal', 'NativeSelect', 'NumberInput', 'Paper', 'PasswordInput', 'Popover'],
  ...['Progress', 'Radio', 'ScrollArea', 'SegmentedControl', 'Select', 'SimpleGrid', 'Skeleton', 'Space', 'Stack'],
  ...['Switch', 'Table', 'Tabs', 'Text', 'Textarea', 'TextInput', 'ThemeIcon', 'Title', 'Tooltip'],
  ...['UnstyledButton', 'VisuallyHidden'],
]

/** What the first file of a module uses, which every visit loads. */
const definitions = [
  ...['defineArea', 'defineCard', 'defineDictionary', 'defineListAction', 'defineRecordAction', 'defineRecordTab'],
  ...['defineWeb', 'defineWidget'],
]

type Names = readonly string[]

/** The names that are shared of each module: all where there is no list. */
const modules: readonly { readonly name: string; readonly exports?: readonly Names[]; readonly isCommonJs?: true }[] = [
  { name: 'react', isCommonJs: true },
  { name: 'react/jsx-runtime', isCommonJs: true },
  { name: 'react-dom', isCommonJs: true },
  {
    name: 'react-router',
    exports: [
      [
        ...['Link', 'Navigate', 'NavLink', 'Outlet', 'Route', 'Routes', 'useLocation', 'useMatch', 'useNavigate'],
        ...['useParams', 'useSearchParams'],
      ],
    ],
  },
  { name: '@mantine/charts' },
  { name: '@mantine/core', exports: [commonComponents, []] },
  { name: '@mantine/hooks' },
  { name: '@plinth/client' },
  { name: '@plinth/web', exports: [definitions, []] },
  {
    name: '@tanstack/react-query',
    exports: [
      [
        ...['keepPreviousData', 'queryOptions', 'useInfiniteQuery', 'useMutation', 'useQueries', 'useQuery'],
        'useQueryClient',
      ],
    ],
  },
]

const require = createRequire(import.meta.url)
const prefix = 'shared-module:'

interface SharedFile {
  readonly module: string
  /** The name of its entry in the build. */
  readonly entry: string
  readonly code: () => string
}

const reexport = (names: Names, module: string): string => `export { ${names.join(', ')} } from '${module}'`

/** Modules in CommonJS name their exports only when they run. */
const commonJsCode = (module: string): string => {
  const names = Object.keys(require(module)).filter(name => name !== 'default')
  return `import whole from '${module}'\nexport default whole\nexport const { ${names.join(', ')} } = whole`
}

const files: readonly SharedFile[] = modules.flatMap(({ name: module, exports = [[]], isCommonJs }) =>
  exports.map((names, at) => ({
    module,
    entry: ['module', ...module.replace('@', '').split('/'), ...(at > 0 ? ['more'] : [])].join('-'),
    code: () =>
      isCommonJs ? commonJsCode(module) : names.length > 0 ? reexport(names, module) : `export * from '${module}'`,
  })),
)

/** The entries of the build, by name. */
export const sharedModuleEntries: Readonly<Record<string, string>> = Object.fromEntries(
  files.map(({ entry }) => [entry, prefix + entry]),
)

interface SharedModulesOptions {
  /** The file that is `@plinth/web` to others. */
  readonly kit: string
}

export const shareModules = ({ kit }: SharedModulesOptions): Plugin => ({
  name: 'share-modules',
  apply: 'build',
  enforce: 'pre',
  resolveId: id => (id === '@plinth/web' ? kit : id.startsWith(prefix) ? `\0${id}` : undefined),
  load: id => files.find(({ entry }) => id === `\0${prefix}${entry}`)?.code(),
  writeBundle: ({ dir = 'dist' }, bundle) => {
    const chunks = Object.values(bundle).filter(one => one.type === 'chunk')
    const built = files.map(({ module, entry }) => {
      const chunk = chunks.find(one => one.isEntry && one.name === entry)
      if (!chunk) throw new Error(`The build has no file for ${module}.`)
      return { module, file: chunk.fileName, names: chunk.exports }
    })
    // What two files export comes from the first.
    const known = new Map<string, Set<string>>()
    const list = built.map(({ module, file, names }) => {
      const before = known.get(module) ?? new Set<string>()
      known.set(module, new Set([...before, ...names]))
      return { module, file, names: names.filter(name => !before.has(name)) }
    })
    writeFileSync(join(dir, 'shared-modules.json'), `${JSON.stringify(list, null, 2)}\n`)
  },
})
