// Staff at the counter of the demo, in a real browser, and what the service itself says of it.

import { openScreens, type Screens } from '@plinth/test-kit/screens'
import { type Client, startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, vi } from 'vitest'
import { type Clerk, copies, createClerk } from './clerk.ts'

export const newRelease = '/api/rest/filmPricingStrategies/00000000-0000-7000-a001-000000000000'
export const clientPk = '00000000-0000-7000-8000-000000000004'
export const desktop = { width: 1280, height: 800 }
export const phone = { width: 390, height: 844 }

/** The zone of the store: neither UTC nor the zone of the browser. */
export const storeZone = 'America/New_York'

/** Writes a time as that store would; ICU puts a narrow space before AM and PM. */
export const storeTime = (instant: string): string =>
  new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: storeZone }).format(
    new Date(instant),
  )

/** The clock of the browser, for the rest of the test. */
export const useZone = async ({ browser, page }: Screens, timezoneId: string): Promise<void> => {
  const session = await browser.context.newCDPSession(page)
  await session.send('Emulation.setTimezoneOverride', { timezoneId })
  onTestFinished(() => session.detach())
}

const quoteBy = async (staff: Client, copy: string) => (await staff.get(`/api/rest/order/orders/${copy}`)).body

/** The clerk clears the desk, unless the test has failed: then anything may be in the way. */
const emptyDesk = async (page: Screens['page'], { url }: TestService, isUsable: boolean): Promise<void> => {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.setViewportSize(desktop)
  await page.emulateMedia({ colorScheme: 'light' })
  // The client stays open: loading it again takes longer than the rest of most tests.
  if (isUsable && (await page.getByLabel('Card, barcode').isVisible())) {
    await page.keyboard.press('F9')
    await page.getByText('No customer selected.').waitFor()
    return
  }
  // From another page: the desk would keep what it hears of while it is being cleared.
  await page.goto(`${url}/`)
  await page.evaluate('sessionStorage.clear()')
}

const fillShelf = async (staff: Client): Promise<void> => {
  await staff.patch(newRelease, { initialPrice: 40 })
  const shelf = Object.values(copies).flat()
  const out = []
  for (const copy of shelf) if ((await quoteBy(staff, copy)).rentalId !== null) out.push(copy)
  if (out.length > 0) await staff.post('/api/rest/order/returns', { items: out })
}

/** `service()`, `screens()`, `clerk()`, `staff()` and `page()` are there once the tests run. */
export const openCounter = (settings: Readonly<Record<string, string>> = {}) => {
  // The machine is busy with other tests.
  vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })
  let service: TestService
  let screens: Screens
  let clerk: Clerk
  let staff: Client
  beforeAll(async () => {
    service = await startService('sqlite', { settings })
    staff = service.as('staff')
    screens = await openScreens(service)
    clerk = createClerk(screens.page)
    await screens.signIn('staff')
  })
  afterAll(async () => {
    const foreign = screens?.browser.foreign ?? []
    await screens?.close()
    await service?.stop()
    expect(foreign).toEqual([])
  })
  // Every test begins with an empty desk and everything of the demo's shelf in its place.
  afterEach(async ({ task }) => {
    await emptyDesk(screens.page, service, task.result?.state !== 'fail')
    await fillShelf(staff)
  })

  const page = () => screens.page
  const quote = (copy: string) => quoteBy(staff, copy)
  return {
    service: () => service,
    screens: () => screens,
    clerk: () => clerk,
    staff: () => staff,
    page,
    goTo: (path: string) => screens.browser.visit(path),
    alert: (text: string | RegExp) => page().getByRole('alert').filter({ hasText: text }).first().waitFor(),
    isShown: (text: string | RegExp) => page().getByText(text).first().waitFor(),
    quote,
    receiptOf: async (pk: string) => (await staff.get(`/api/rest/order/receipts/${pk}`)).body,
    paymentsOf: async (copy: string) => {
      const path = `/api/rest/payments?rental.inventory.barcode=${copy}&_ps=500`
      return (await staff.get(path, { Accept: 'application/json' })).body.content
    },
    rentElsewhere: async (copy: string, customer = clientPk) =>
      staff.post('/api/rest/order/orders', { customer, items: [await quote(copy)] }),
  }
}
