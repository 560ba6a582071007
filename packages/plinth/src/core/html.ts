// HTML that is put together from texts: what is not HTML already is escaped.

/** HTML made by the tag `html`. */
export interface Html {
  readonly kind: 'html'
  readonly text: string
}

/** What stands between the pieces of a template. Nothing is shown for null, undefined and false. */
export type HtmlValue = string | number | Html | readonly HtmlValue[] | null | undefined | false

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, character => references[character] ?? character)

const toText = (value: HtmlValue): string => {
  if (value === null || value === undefined || value === false) return ''
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(`${value}`)
  return 'kind' in value ? value.text : value.map(toText).join('')
}

/**
 * HTML with values: they are escaped, unless they are HTML made by the same tag. Put values of attributes in quotes.
 *
 * @example
 * html`<ul>${titles.map(title => html`<li>${title}</li>`)}</ul>`
 */
export const html = (pieces: TemplateStringsArray, ...values: readonly HtmlValue[]): Html => ({
  kind: 'html',
  text: pieces.map((piece, at) => (at === 0 ? piece : toText(values[at - 1]) + piece)).join(''),
})
