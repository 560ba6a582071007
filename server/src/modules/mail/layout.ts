// A message as HTML and as text. Everything that comes from people is escaped here, and nowhere else.

import type { Message } from './templates/message.ts'

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, character => references[character] ?? character)

const paragraph = (text: string): string => `<p>${escaped(text)}</p>`

/** Styles stand in the elements: many mail readers drop everything else. */
export const toHtml = ({ subject, greeting, paragraphs, action, note }: Message, language: string): string =>
  [
    `<!doctype html><html lang="${escaped(language)}"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head>`,
    '<body style="margin:0;padding:24px;font:16px/1.5 sans-serif;color:#1f2933;background:#f5f7fa">',
    '<div style="max-width:560px;margin:auto;padding:24px;background:#fff;border-radius:8px">',
    paragraph(greeting),
    ...paragraphs.map(paragraph),
    action
      ? `<p><a href="${escaped(action.href)}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#1c4f8a;color:#fff;text-decoration:none">${escaped(action.label)}</a></p><p style="font-size:13px;word-break:break-all">${escaped(action.href)}</p>`
      : '',
    `<p style="font-size:13px;color:#52606d">${escaped(note)}</p>`,
    '</div></body></html>',
  ].join('\n')

export const toText = ({ greeting, paragraphs, action, note }: Message): string =>
  [greeting, ...paragraphs, ...(action ? [`${action.label}:\n${action.href}`] : []), note].join('\n\n')
