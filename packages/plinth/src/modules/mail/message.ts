// A mail before it is sent: its HTML and text. Everything that users have entered is escaped here, and nowhere else.

import { escapeHtml as escaped } from '../../core/html.ts'
import type { MailMessage } from '../../core/mail.ts'
import type { FilledMail } from './templates.ts'

const paragraph = (text: string): string => `<p>${escaped(text)}</p>`

/** The brand of the mails, shown above and below what they say. */
export interface MailBrand {
  /** The name of the application. */
  readonly name: string
  /** The address of the web client. */
  readonly home: string
  /** The address of the logo. */
  readonly logo: string | null
  /** The colour of the button. */
  readonly color: string | null
}

const small = 'font-size:13px;color:#52606d'

const brandHtml = ({ name, logo }: MailBrand): string => {
  const image = logo === null ? '' : `<img src="${escaped(logo)}" alt="" height="32" style="vertical-align:middle"> `
  return `<p style="font-weight:600">${image}${escaped(name)}</p>`
}

/** Writes a mail with inline styles: many mail clients drop all others. */
export const toHtml = (mail: FilledMail, brand: MailBrand): string => {
  const { subject, language, html } = mail
  const head = `<!doctype html><html lang="${escaped(language)}"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head>`
  return html ? `${head}\n<body>\n${html.text}\n</body></html>` : `${head}\n${toBody(mail, brand)}`
}

const toBody = ({ greeting, paragraphs, action, note }: FilledMail, brand: MailBrand): string =>
  [
    '<body style="margin:0;padding:24px;font:16px/1.5 sans-serif;color:#1f2933;background:#f5f7fa">',
    '<div style="max-width:560px;margin:auto;padding:24px;background:#fff;border-radius:8px">',
    brandHtml(brand),
    paragraph(greeting),
    ...paragraphs.map(paragraph),
    action
      ? `<p><a href="${escaped(action.href)}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:${escaped(brand.color ?? '#1c4f8a')};color:#fff;text-decoration:none">${escaped(action.label)}</a></p><p style="font-size:13px;word-break:break-all">${escaped(action.href)}</p>`
      : '',
    `<p style="${small}">${escaped(note)}</p>`,
    `<p style="${small}">${escaped(brand.name)}<br>${escaped(brand.home)}</p>`,
    '</div></body></html>',
  ].join('\n')

export const toText = ({ greeting, paragraphs, action, note }: MailMessage, { name, home }: MailBrand): string =>
  [greeting, ...paragraphs, ...(action ? [`${action.label}:\n${action.href}`] : []), note, `${name}\n${home}`].join(
    '\n\n',
  )
