// The web client as an application has it: the built files, and those that are made from the definition of the application.

import { existsSync, readFileSync, statSync } from 'node:fs'
import { extname, join, relative, resolve } from 'node:path'
import { sha256Of } from '../core/digest.ts'
import type { GeneratedFile, StaticFiles } from '../core/http/static-folder.ts'
import { DefinitionError, type DefinitionFault } from '../core/model/definition-error.ts'
import type { Overview } from '../core/service.ts'
import {
  type AppLanguages,
  clientTextFaults,
  logoTypes,
  readClientTexts,
  type WebClientOptions,
} from './client-options.ts'
import { type BuiltPages, pagesAddress, readBuiltPages } from './pages/built-pages.ts'
import { pageChangesAddress } from './pages/page-changes.ts'
import { readSharedModules } from './pages/shared-modules.ts'

/** What the page says about the application; the client reads it before it draws anything. */
interface ApplicationOfPage {
  readonly name: string
  readonly logo?: string
  readonly colors?: WebClientOptions['colors']
  readonly languages: Readonly<Record<string, { readonly name: string; readonly texts: string }>>
  /** The pages of modules; under `plinth dev`, the address that tells of them. */
  readonly pages?: Pick<BuiltPages, 'entry' | 'styles'> | { readonly changes: string }
}

interface ClientOwner {
  readonly name: string
  readonly client: WebClientOptions
  readonly languages: AppLanguages
}

interface ClientFolders {
  /** The files of the web client. */
  readonly built: string
  /** The files of the application. */
  readonly own: string
  /** The bundled pages of modules. */
  readonly pages?: string | undefined
  /** Says that `plinth dev` bundles the pages while the service runs. */
  readonly isDevelopment: boolean
}

const prefix = '/client'
const pageName = 'index.html'
const maxLogoBytes = 512 * 1024

/** The files of the web client, and those of the pages of modules. */
export const webClientFiles = (app: ClientOwner, folders: ClientFolders): readonly StaticFiles[] => {
  const { built, own, pages, isDevelopment } = folders
  const builtPages = pages === undefined || isDevelopment ? null : readBuiltPages(pages)
  const faults = [
    ...logoFaults(app.client, own),
    ...clientTextFaults(app.languages, {
      client: readClientTexts(built),
      pages: builtPages && pages !== undefined ? readClientTexts(pages) : null,
    }),
    ...pagesFaults(builtPages, built),
  ]
  if (faults.length > 0) throw new DefinitionError(faults)
  const files: StaticFiles = { prefix, folder: built, fallback: pageName, inlineStyles: true }
  const hasPages = pages !== undefined && (isDevelopment || builtPages)
  const pageFiles = hasPages ? [{ prefix: pagesAddress, folder: pages }] : []
  const page = join(built, pageName)
  // A checkout in which the client was not built.
  if (!existsSync(page)) return [files, ...pageFiles]
  const scripts = builtPages ? [builtPages.entry, ...builtPages.first] : []
  const shownPages = builtPages
    ? { entry: builtPages.entry, styles: builtPages.styles }
    : hasPages && { changes: pageChangesAddress }
  const client = { ...app, scripts, ...(shownPages && { pages: shownPages }) }
  return [{ ...files, generated: generatedFiles(client, readFileSync(page, 'utf8'), own) }, ...pageFiles]
}

/** Pages share code with the web client, at addresses that change with it. */
const pagesFaults = (pages: BuiltPages | null, built: string): readonly DefinitionFault[] => {
  const shared = pages && readSharedModules(built)
  if (!shared || shared.version === pages.client) return []
  return [{ message: 'the pages of modules were bundled for another version of Plinth: run `plinth build` again' }]
}

const logoFaults = ({ logo }: WebClientOptions, folder: string): readonly DefinitionFault[] => {
  if (logo === undefined) return []
  const file = resolve(folder, logo)
  const stats = statSync(file, { throwIfNoEntry: false })
  if (!logoTypes[extname(logo).toLowerCase()])
    return [{ message: `client.logo: '${logo}' must end with ${Object.keys(logoTypes).join(', ')}` }]
  if (relative(folder, file).startsWith('..'))
    return [{ message: `client.logo: '${logo}' must be in the folder of the application` }]
  if (!stats?.isFile()) return [{ message: `client.logo: there is no file ${file}` }]
  if (stats.size > maxLogoBytes)
    return [{ message: `client.logo: '${logo}' has ${stats.size} bytes; at most ${maxLogoBytes} are allowed` }]
  return []
}

interface LogoFile {
  /** The path, named after the content so that browsers can keep it. */
  readonly path: string
  readonly file: GeneratedFile
}

const readLogo = ({ logo }: WebClientOptions, folder: string): LogoFile | null => {
  const ending = extname(logo ?? '').toLowerCase()
  const mediaType = logoTypes[ending]
  if (logo === undefined || mediaType === undefined) return null
  const file = { mediaType, content: readFileSync(resolve(folder, logo)) }
  return { path: pathOf('logo', ending, file), file }
}

const pathOf = (title: string, ending: string, { content }: GeneratedFile): string =>
  `assets/${title}-${sha256Of(content).slice(0, 12)}${ending}`

/** What mails show of the application. */
export const brandOf = ({ client }: Pick<ClientOwner, 'client'>, folder: string): Overview['brand'] => {
  const logo = readLogo(client, folder)
  return { logo: logo && `${prefix}/${logo.path}`, color: client.colors?.primary ?? null }
}

interface ShownClient extends ClientOwner, Pick<ApplicationOfPage, 'pages'>, Pick<PageParts, 'scripts'> {}

const generatedFiles = (
  { name, client, languages, pages, scripts }: ShownClient,
  page: string,
  folder: string,
): ReadonlyMap<string, GeneratedFile> => {
  const files = new Map<string, GeneratedFile>()
  /** Gives its address. */
  const add = (path: string, file: GeneratedFile): string => {
    files.set(path, file)
    return `${prefix}/${path}`
  }
  const logoFile = readLogo(client, folder)
  const logo = logoFile && add(logoFile.path, logoFile.file)
  const application: ApplicationOfPage = {
    name,
    ...(logo && { logo }),
    ...(client.colors && { colors: client.colors }),
    languages: Object.fromEntries(
      Object.entries(languages).map(([code, { name, client = {} }]) => {
        const file = jsonFile(client)
        return [code, { name, texts: add(pathOf(`texts-${code}`, '.json', file), file) }]
      }),
    ),
    ...(pages && { pages }),
  }
  const icon = logoFile && logo ? { src: logo, type: logoFile.file.mediaType } : iconIn(page)
  files.set('manifest.webmanifest', manifestOf(application, icon))
  files.set(pageName, {
    mediaType: 'text/html; charset=utf-8',
    content: Buffer.from(pageOf(page, application, { icon, scripts })),
  })
  return files
}

interface Icon {
  readonly src: string
  readonly type: string
}

const jsonFile = (value: object, mediaType = 'application/json; charset=utf-8'): GeneratedFile => ({
  mediaType,
  content: Buffer.from(JSON.stringify(value)),
})

const iconTag = /<link rel="icon" href="([^"]+)" type="([^"]+)" \/>/

const iconIn = (page: string): Icon => {
  const [, src = '', type = ''] = iconTag.exec(page) ?? []
  return { src, type }
}

/** Browsers offer to install the client as an application of the device. */
const manifestOf = ({ name, colors }: ApplicationOfPage, icon: Icon): GeneratedFile =>
  jsonFile(
    {
      name,
      id: `${prefix}/`,
      start_url: `${prefix}/`,
      scope: `${prefix}/`,
      display: 'standalone',
      ...(colors?.primary && { theme_color: colors.primary }),
      icons: [{ ...icon, sizes: 'any' }],
    },
    'application/manifest+json; charset=utf-8',
  )

const references: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (text: string): string => text.replace(/[&<>"]/g, character => references[character] ?? '')

interface PageParts {
  readonly icon: Icon
  /** The addresses of scripts that the page needs soon. */
  readonly scripts: readonly string[]
}

/** Replacements are functions: in a string, `$` would have a meaning. */
const pageOf = (page: string, application: ApplicationOfPage, { icon, scripts }: PageParts): string => {
  const { name, colors } = application
  const tags = [
    `<meta name="application-name" content="${escaped(name)}" />`,
    ...(colors?.primary ? [`<meta name="theme-color" content="${escaped(colors.primary)}" />`] : []),
    `<meta name="plinth:application" content="${escaped(JSON.stringify(application))}" />`,
    `<link rel="icon" href="${escaped(icon.src)}" type="${escaped(icon.type)}" />`,
    `<link rel="manifest" href="${prefix}/manifest.webmanifest" />`,
    ...scripts.map(script => `<link rel="modulepreload" href="${escaped(script)}" />`),
  ]
  return page
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escaped(name)}</title>`)
    .replace(iconTag, () => tags.join('\n    '))
}
