// The job of a report that is sent by mail: for each recipient it is computed with their permissions.

import { fileFormatNamed } from '../../core/formats/files/index.ts'
import { formatsByName } from '../../core/formats/index.ts'
import { hourMs, type Job, type JobContext } from '../../core/jobs/job.ts'
import { oneByOne } from '../../core/jobs/sweep.ts'
import { titleIn } from '../../core/model/words.ts'
import { fileOfGroups } from '../../core/rest/aggregates.ts'
import { contextFor } from '../../core/rest/context.ts'
import { type DeclaredReport, maySeeReport } from '../../core/rest/declared-report.ts'
import { chooseLanguage } from '../../core/rest/language.ts'
import type { Report } from '../../core/rest/report.ts'
import { searchOfReport } from '../../core/rest/report-search.ts'
import { userAsCaller } from '../auth/index.ts'
import { queueMail } from '../mail/index.ts'
import { mailRecipientOf, type User, users } from '../people/index.ts'
import { scheduledReport } from './report-mail.ts'

/** Reports wait for searches of people, and there may be many recipients. */
const timeoutSeconds = (6 * hourMs) / 1000

/** The jobs of the reports that are sent by mail. */
export const reportJobs = (reports: readonly Report[]): readonly Job[] =>
  reports.flatMap(report => {
    if (!report.mail) return []
    const { cron, timeZone } = report.mail
    const title = (language: string): string => titleIn(report.title, language) ?? report.name
    return {
      name: `mail-${report.name}`,
      about: { en: `Sends the report “${title('en')}” by mail.`, de: `Verschickt den Bericht „${title('de')}“.` },
      cron,
      ...(timeZone !== undefined && { timeZone }),
      timeout: timeoutSeconds,
      run: context => sendReport(context, report),
    }
  })

const sendReport = async (context: JobContext, report: Report): Promise<void> => {
  const { service, records, signal, log } = context
  const declared = service.overview().reports.find(one => one.report === report)
  if (!declared || !report.mail) return
  const roles = [report.mail.to].flat()
  const recipients = await records.find(users, {
    where: { active: true, roles: { name: { in: roles } } },
    fields: ['username', 'locale', 'roles'],
  })
  // A role that is misspelt would go unnoticed.
  if (recipients.length === 0) log.warn(`no active user has ${roles.join(' or ')}, so no mail has the report`)
  await oneByOne(service, { name: `sending the report ${report.name}`, all: recipients }, async user => {
    if (signal.aborted) throw signal.reason
    await sendTo(context, declared, user)
  })
}

type Recipient = Pick<User, 'pk' | 'username' | 'locale' | 'roles'>

const xlsx = fileFormatNamed('xlsx')

/** Users who may not read it, or nothing of it, get no mail. */
const sendTo = async ({ service, records }: JobContext, declared: DeclaredReport, user: Recipient): Promise<void> => {
  const { platform } = service
  const context = contextFor(platform, await userAsCaller(platform, user))
  if (!maySeeReport(context, declared)) return
  const { report } = declared
  const title = titleIn(report.title, chooseLanguage(user.locale, platform.registry.languages)) ?? report.name
  const search = searchOfReport(context, declared, {
    parameters: new Map(),
    style: formatsByName.json.pageParameters,
  })
  const written = await fileOfGroups(context, { search, file: xlsx, title })
  if (!written) return
  const pieces: Buffer[] = []
  for await (const piece of written) pieces.push(Buffer.from(piece))
  const content = Buffer.concat(pieces)
  await records.transaction(async transaction => {
    const to = await mailRecipientOf(transaction, user.pk)
    if (!to) return
    const { account, ...recipient } = to
    await queueMail(transaction, scheduledReport, {
      ...recipient,
      content: { name: account.name, title, report: report.name },
      attachments: [{ name: `${report.name}.xlsx`, mediaType: xlsx.mediaType, content }],
    })
  })
}
