// A clerk's day: twenty customers, by keyboard alone, and the books agree in the end.

import { openScreens, type Screens } from '@plinth/test-kit/screens'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { checkDigit } from '../../src/barcodes.ts'
import { type Clerk, createClerk } from './clerk.ts'

vi.setConfig({ testTimeout: 400_000, hookTimeout: 180_000 })

const json = { Accept: 'application/json' }

const code = (prefix: string, number: number): string => {
  const digits = prefix + String(number).padStart(10, '0')
  return digits + checkDigit(digits)
}

interface Copy {
  readonly barcode: string
  readonly initialPrice: number
  readonly daysFree: number
  readonly dailyPrice: number
}

let service: TestService
let screens: Screens
let clerk: Clerk
let copies: readonly Copy[]
const customers = Array.from({ length: 20 }, (_, at) => ({ username: `customer-${at}`, card: code('21', 500 + at) }))

const addCustomers = async () => {
  const admin = service.as('admin')
  for (const { username, card } of customers) {
    const made = await admin.post('/api/rest/users', { username, password: 'a long enough secret 7' }, json)
    expect(made.status).toBe(201)
    const { status } = await admin.post('/api/rest/clients', { user: made.body.pk, cardBarcode: card }, json)
    expect(status).toBe(201)
  }
}

/** Returns free copies with what the service says about their prices. */
const freeCopies = async (): Promise<Copy[]> => {
  const staff = service.as('staff')
  const found = await staff.get('/api/rest/filmInventoryEntries?available=true&_ps=40&sort=barcode', json)
  const free: Copy[] = []
  for (const { barcode } of found.body.content) {
    const { pricingStrategy } = (await staff.get(`/api/rest/order/orders/${barcode}`)).body
    free.push({ barcode, ...pricingStrategy })
  }
  return free
}

beforeAll(async () => {
  service = await startService('sqlite')
  await addCustomers()
  copies = await freeCopies()
  screens = await openScreens(service)
  clerk = createClerk(screens.page)
  await screens.signIn('staff')
  await screens.visit('/counter')
})
afterAll(async () => {
  await screens?.close()
  await service?.stop()
})

const costOf = ({ initialPrice, daysFree, dailyPrice }: Copy, days: number): number =>
  initialPrice + dailyPrice * Math.max(0, days - daysFree)

const copyAt = (at: number): Copy => {
  const copy = copies[at]
  if (!copy) throw new Error(`there is no free copy ${at}`)
  return copy
}

const euros = (amount: number): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' }).format(amount)

/** Pays with a round note more than is due, and reads the change. */
const pay = async (due: number): Promise<string> => {
  await clerk.total(euros(due))
  await clerk.press('F4')
  await clerk.page.keyboard.type(String(due + 50))
  await clerk.page.locator('[data-change]', { hasText: '€50.00' }).waitFor()
  await clerk.press('F8')
  const receipt = await clerk.done()
  await clerk.page.locator('[data-done]', { hasText: euros(due) }).waitFor()
  return receipt
}

const voidLast = async (): Promise<void> => {
  await clerk.tabTo('Open receipt')
  await clerk.press('Enter')
  await clerk.page.getByRole('article').waitFor()
  await clerk.page
    .getByRole('button', { name: /^Void: Rental/ })
    .first()
    .waitFor()
  await clerk.tabTo(/^Void: Rental/)
  await clerk.press('Enter')
  await clerk.page.getByRole('dialog').getByLabel('Reason').waitFor()
  await clerk.tabTo(/^Reason/)
  await clerk.page.keyboard.type('Scanned by mistake.')
  await clerk.tabTo('Void')
  await clerk.press('Enter')
  await clerk.page.getByText(/^Refund/).waitFor()
  await clerk.tabTo('Desk')
  await clerk.press('Enter')
}

test('twenty customers rent and return, one rental is voided, and the service has the same sums', async () => {
  const staff = service.as('staff')
  const day = '/api/rest/order/takings'
  const before = (await staff.get(day)).body
  let [taken, payments, next] = [0, 0, 0]
  const codes: string[] = []
  for (const [at, { card, username }] of customers.entries()) {
    const days = 1 + (at % 7)
    const [first, second] = [copyAt(next++), copyAt(next++)]
    const due = costOf(first, days) + costOf(second, 1)
    // Every third one also brings back what the one before took.
    const back = at % 3 === 2 ? codes.splice(0, 1) : []
    await clerk.scan(card, first.barcode, `*${days}`, second.barcode, ...back)
    await clerk.page.getByRole('region', { name: 'Customer' }).getByText(username).first().waitFor()
    await clerk.page
      .locator('[data-cost]')
      .nth(1 + back.length)
      .waitFor()
    const receipt = await pay(due)
    expect((await staff.get(`/api/rest/order/receipts/${receipt}`)).body).toMatchObject({
      customer: username,
      totalCost: due,
    })
    taken += due
    payments += 2 + back.length
    if (at === 9) {
      await voidLast()
      taken -= costOf(first, days)
      payments += 1
      codes.push(second.barcode)
    } else codes.push(first.barcode, second.barcode)
  }
  const after = (await staff.get(day)).body
  expect([after.taken - before.taken, after.count - before.count]).toEqual([taken, payments])
  expect(after.byKind.void - before.byKind.void).toBeLessThan(0)
  const open = await staff.get(
    '/api/rest/rentals?filter=returnDate=isnull=true;customer.username==customer-*&_ps=1',
    json,
  )
  expect(open.body.page.totalElements).toBe(codes.length)
  expect(screens.browser.foreign).toEqual([])
})
