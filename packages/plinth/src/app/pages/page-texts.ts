// The texts of the pages of modules, for applications that translate them. The pages run once without a browser: what they import has no
// effect, except that the dictionaries they declare are kept.

import { runInNewContext } from 'node:vm'
import type { Plugin } from 'esbuild'
import { areasDictionary, type WebClientText, type WebClientTexts } from '../client-options.ts'
import { listedSources, pagesEntry } from './page-entry.ts'
import type { PageSource } from './page-sources.ts'
import { allowsPackage } from './shared-modules.ts'

const namespace = 'without-effect'

/** Every package is a module whose exports can be called, and give nothing. */
const withoutEffect: Plugin = {
  name: namespace,
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^[^./\\]/ }, ({ path, kind, pluginData }) =>
      kind === 'entry-point' || pluginData === allowsPackage ? undefined : { path, namespace },
    )
    onLoad({ filter: /.*/, namespace }, () => ({ contents: 'module.exports = packageWithoutEffect', loader: 'js' }))
  },
}

const nothing: unknown = new Proxy(() => {}, {
  get: (_, name) => (name === Symbol.toPrimitive ? () => '' : name === 'then' ? undefined : nothing),
  apply: () => nothing,
})

/** The bundler copies the own exports of a module, and leaves the others to its prototype. */
const packageWith = (own: Readonly<Record<string, unknown>>): object => {
  const get = (_: object, name: string | symbol): unknown =>
    typeof name === 'string' && Object.hasOwn(own, name) ? own[name] : nothing
  return new Proxy({}, { get, getPrototypeOf: () => new Proxy({}, { get }) })
}

/** A page that does not end is left. */
const timeout = 5000

interface PageModule {
  readonly load: () => Promise<unknown>
}

type Title = string | { readonly en: string }

interface DeclaredArea {
  readonly path: string
  readonly title: Title
  readonly about?: Title
}

const englishOf = (title: Title): string => (typeof title === 'string' ? title : title.en)

const wordsOf = ({ path, title, about }: DeclaredArea): Readonly<Record<string, string>> => ({
  [path]: englishOf(title),
  ...(about !== undefined && { [`${path}About`]: englishOf(about) }),
})

const collect = async (code: string): Promise<WebClientTexts> => {
  const found = new Map<string, Readonly<Record<string, WebClientText>>>()
  const running: Promise<unknown>[] = []
  const load = (start: () => Promise<unknown>): unknown => {
    running.push(start())
    return nothing
  }
  const defineDictionary = (name: string, english: Readonly<Record<string, WebClientText>>): unknown => {
    found.set(name, english)
    return nothing
  }
  const defineArea = (area: DeclaredArea): unknown => {
    found.set(areasDictionary, { ...found.get(areasDictionary), ...wordsOf(area) })
    return nothing
  }
  const context = { packageWithoutEffect: packageWith({ lazy: load, defineDictionary, defineArea }) }
  const modules: readonly PageModule[] = runInNewContext(`${code}; pages.default`, context, { timeout })
  for (const { load: start } of modules) load(start)
  // A page that fails without a browser has texts that are not known, and nothing else happens.
  for (let done = 0; done < running.length; done++) await Promise.allSettled([running[done]])
  return Object.fromEntries(found)
}

/** The English texts by dictionary. */
export const textsOfPages = async (sources: readonly PageSource[]): Promise<WebClientTexts> => {
  if (sources.length === 0) return {}
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: [pagesEntry],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'pages',
    target: 'es2022',
    jsx: 'automatic',
    logLevel: 'silent',
    loader: Object.fromEntries(
      ['.css', '.module.css', '.svg', '.png', '.jpg', '.webp', '.woff2'].map(ending => [ending, 'empty' as const]),
    ),
    plugins: [listedSources(sources, new Set()), withoutEffect],
  })
  return collect(outputFiles[0]?.text ?? '')
}
