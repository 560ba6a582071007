// The mail that brings a report.

import { defineMail } from '../../core/mail.ts'

export interface ReportMailContent {
  /** The name of the recipient. */
  readonly name: string
  /** The title of the report. */
  readonly title: string
  /** The last part of its address. */
  readonly report: string
}

const page = ({ report }: ReportMailContent): string => `reports/${report}`

export const scheduledReport = defineMail<ReportMailContent>('scheduledReport', {
  title: { en: 'Report', de: 'Bericht' },
  isUrgent: false,
  limit: { count: 100, hours: 24 },
  trusted: ['title', 'report'],
  texts: {
    en: (content, pages) => ({
      subject: `Report: ${content.title}`,
      greeting: `Hello ${content.name},`,
      paragraphs: [`the report “${content.title}” is attached, with the records that you may read.`],
      action: { label: 'Open the report', href: pages(page(content)) },
      note: 'You get this e-mail because reports are sent to your role. An administrator can tell you more.',
    }),
    de: (content, pages) => ({
      subject: `Bericht: ${content.title}`,
      greeting: `Hallo ${content.name},`,
      paragraphs: [`der Bericht „${content.title}“ hängt an, mit den Datensätzen, die Sie lesen dürfen.`],
      action: { label: 'Bericht öffnen', href: pages(page(content)) },
      note: 'Sie erhalten diese E-Mail, weil Ihre Rolle Berichte bekommt. Mehr weiß die Verwaltung.',
    }),
  },
})
