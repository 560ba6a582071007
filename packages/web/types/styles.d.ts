// What pages of modules import as styles.

declare module '*.module.css' {
  /** The names of the classes in the page, by their names in the file. */
  const classes: Readonly<Record<string, string>>
  export default classes
}

declare module '*.css' {}
