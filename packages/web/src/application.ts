// What the application has set for this client: name, logo, colours and languages. The service writes it into the page, so that it
// is there before the first paint.

interface AddedLanguage {
  readonly name: string
  /** The address of its texts. */
  readonly texts: string
}

/** The scripts and styles of modules, as they were built. */
export interface PagesAddresses {
  /** The address of the script that loads the modules. */
  readonly entry: string
  readonly styles: readonly string[]
}

interface Application {
  readonly name: string
  /** The address of its picture. */
  readonly logo?: string
  readonly colors?: { readonly primary?: string }
  /** The languages by code, such as `fr`. */
  readonly languages?: Readonly<Record<string, AddedLanguage>>
  /** The pages of modules; under `plinth dev`, the address of an event stream that tells of each new build of them. */
  readonly pages?: PagesAddresses | { readonly changes: string }
}

const written = document.querySelector<HTMLMetaElement>('meta[name="plinth:application"]')?.content

/** A page that the service has not written is that of the development server of the client. */
export const application: Application = written ? JSON.parse(written) : { name: 'Plinth' }

/** Does `plinth dev` run the service? Then mistakes are shown in full. */
export const isDevelopment = application.pages !== undefined && 'changes' in application.pages
