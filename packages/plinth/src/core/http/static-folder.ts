// What a module declares of a folder of files, such as a built web client.

export interface StaticFiles {
  /** The path under which the files appear, such as `/client`; not the root. */
  readonly prefix: string
  /** Absolute, or a path that starts at the folder of `plinth.config.ts`. */
  readonly folder: string
  /** The file that answers deep links, such as `index.html`. */
  readonly fallback?: string
  /** The file sent in place of pages as long as there is no `fallback`: the folder may be filled later. */
  readonly placeholder?: GeneratedFile
  /** Is `/guide` the file `guide.html`? */
  readonly cleanUrls?: boolean
  /** Files that are made at the start, by their paths; they take the place of those in the folder. */
  readonly generated?: ReadonlyMap<string, GeneratedFile>
  /** Do its pages make styles as they run? Scripts are never allowed inside a page. */
  readonly inlineStyles?: boolean
}

export interface GeneratedFile {
  readonly mediaType: string
  readonly content: Buffer
}
