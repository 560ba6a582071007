// Reports by mail: each recipient gets the groups of the records that they may read, as a spreadsheet, through a real SMTP server.

import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { featureDatabases } from '@plinth/test-kit/databases'
import { make } from '@plinth/test-kit/library'
import { type MailServer, type ReceivedMail, smtpSettings, startMailServer } from '@plinth/test-kit/mailbox'
import { modules } from '@plinth/test-kit/platform'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fileFormatNamed } from '../../src/core/formats/files/index.ts'
import { defineModule } from '../../src/core/module.ts'
import { defineReport } from '../../src/core/rest/report.ts'
import { until } from '../../src/testing/waiting.ts'
import { deals, trade } from '../query/aggregates-module.ts'

/** Far away: the tests start the jobs themselves. */
const cron = '0 7 1 1 *'

const revenue = defineReport(deals, {
  name: 'revenue',
  title: { en: 'Revenue', de: 'Umsatz' },
  group: ['shop.name'],
  count: true,
  sum: ['total'],
  mail: { cron, timeZone: 'Europe/Berlin', to: ['ROLE_STAFF', 'ROLE_USER'] },
})
const forStaff = defineReport(deals, {
  name: 'for-staff',
  title: 'For staff',
  count: true,
  access: "caller.has('ROLE_STAFF')",
  mail: { cron, to: 'ROLE_USER' },
})
const margins = defineReport(deals, {
  name: 'margins',
  title: 'Margins',
  sum: ['margin'],
  mail: { cron, to: 'ROLE_USER' },
})
const empty = defineReport(deals, {
  name: 'empty',
  title: 'Empty',
  group: ['state'],
  count: true,
  where: { state: 'void' },
  mail: { cron, to: 'ROLE_USER' },
})

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let server: MailServer
  let service: TestService
  beforeAll(async () => {
    server = await startMailServer()
    const reporting = defineModule({
      name: 'reporting',
      about: 'Reports.',
      resources: [],
      reports: [revenue, forStaff, margins, empty],
    })
    service = await startService(database, {
      modules: [...modules, trade, reporting],
      settings: smtpSettings(server.port),
    })
    const staff = service.as('staff')
    const shop = await make(staff, 'shops', { name: 'North' })
    await make(staff, 'deals', { shop: shop.pk, state: 'paid', total: 10.5, margin: 1 })
    await make(staff, 'deals', { shop: shop.pk, state: 'paid', total: 2, secret: true })
  })
  afterAll(async () => {
    await service.stop()
    await server.stop()
  })

  /** Returns the mails of one run of the report. */
  const mailsOf = async (report: string): Promise<readonly ReceivedMail[]> => {
    const before = server.deliveries.length
    const admin = service.as('admin')
    const job = `/api/management/jobs/mail-${report}`
    expect((await admin.post(`${job}/run`, undefined)).status).toBe(202)
    await until('the job to end', async () => (await admin.get(job)).body.lastRun?.status === 'succeeded')
    await service.idle()
    return server.deliveries.slice(before)
  }

  const sentTo = (deliveries: readonly ReceivedMail[], user: string): ReceivedMail | undefined =>
    deliveries.find(({ to }) => to.some(address => address.startsWith(`${user}@`)))

  const cellsOf = async ({ mail }: ReceivedMail): Promise<readonly unknown[]> => {
    const path = join(await mkdtemp(join(tmpdir(), 'plinth-report-')), 'report.xlsx')
    await writeFile(path, mail.attachments[0]?.content ?? '')
    const rows: unknown[] = []
    for await (const { cells } of fileFormatNamed('xlsx').read(path, () => {})) rows.push(cells)
    return rows
  }

  test('each recipient gets one mail with what they may read, in their language', async () => {
    const deliveries = await mailsOf('revenue')
    const staff = sentTo(deliveries, 'staff')
    const simple = sentTo(deliveries, 'simple')
    expect(staff?.mail.subject).toBe('Report: Revenue')
    expect(staff?.mail.text).toContain('/client/reports/revenue')
    expect(staff?.mail.attachments.map(({ filename }) => filename)).toEqual(['revenue.xlsx'])
    if (!staff || !simple) throw new Error('a mail is missing')
    expect(await cellsOf(staff)).toEqual([{ 'shop.name': 'North', count: 2, 'sum.total': 12.5 }])
    expect(await cellsOf(simple)).toEqual([{ 'shop.name': 'North', count: 1, 'sum.total': 10.5 }])
    const addresses = deliveries.flatMap(({ to }) => to)
    expect(new Set(addresses).size).toBe(addresses.length)
  })

  test('who may not see the report or one of its fields gets no mail', async () => {
    const staffOnly = await mailsOf('for-staff')
    expect(sentTo(staffOnly, 'staff')).toBeDefined()
    expect(sentTo(staffOnly, 'simple')).toBe(undefined)
    const withMargins = await mailsOf('margins')
    expect(sentTo(withMargins, 'staff')).toBeDefined()
    expect(sentTo(withMargins, 'simple')).toBe(undefined)
  })

  test('a report without groups is not sent', async () => {
    expect(await mailsOf('empty')).toEqual([])
  })

  test('users who are not active get no mail', async () => {
    const admin = service.as('admin')
    const json = { Accept: 'application/json' }
    const { body } = await admin.get('/api/rest/userCredentials?filter=user.username==simple', json)
    const credentials = `/api/rest/userCredentials/${body.content[0].pk}`
    expect((await admin.patch(credentials, { active: false })).status).toBe(200)
    expect(sentTo(await mailsOf('revenue'), 'simple')).toBe(undefined)
  })
})

test.each([
  [{ cron: 'every day', to: 'ROLE_STAFF' }, /mail-wrong.*cron 'every day'/s],
  [{ cron, to: 'staff' }, /report 'wrong'.*it is mailed to 'staff', which is no role/s],
])('the mistake %j stops the start with its name', async (mail, message) => {
  const wrong = defineReport(deals, { name: 'wrong', title: 'Wrong', count: true, mail })
  const reporting = defineModule({ name: 'reporting', about: 'Reports.', resources: [], reports: [wrong] })
  await expect(startService('sqlite', { modules: [...modules, trade, reporting] })).rejects.toThrow(message)
})
