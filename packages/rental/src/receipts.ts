// Receipts: everything that was paid together, as JSON, as a page, or as plain text for a printer of 42 columns.

import { defineEndpoint, type RecordReader, type Records, type ShapeValue } from 'plinth'
import { chooseMediaType, mayUse, toValueAnswer, valueFormats } from 'plinth/module'
import { counterOf, type RentalCounter } from './counter.ts'
import { filmInventoryEntries } from './film-inventory-entries.ts'
import { localTime } from './local-time.ts'
import { type Payment, payments } from './payments.ts'
import { amountText, sumOf, toDecimal } from './pricing.ts'
import { rentals } from './rentals.ts'
import { receiptShape } from './shapes.ts'

export interface ReceiptLine {
  readonly pk: string
  readonly kind: Payment['kind']
  /** The charged customer. */
  readonly customer: string | null
  readonly film: string | null
  readonly copy: string | null
  readonly days: number
  readonly dueDate: string | null
  readonly dueDateLocal: string | null
  readonly amount: number
  readonly onAccount: boolean
  readonly reason: string | null
}

export interface Receipt {
  readonly number: string
  readonly date: string
  readonly dateLocal: string
  readonly timeZone: string
  readonly currency: string
  /** The customer who paid; null if copies of several customers were returned together. */
  readonly customer: string | null
  readonly staff: string | null
  readonly lines: readonly ReceiptLine[]
  readonly total: number
  /** The cash that the customer gave; null if it is not known. */
  readonly tendered: number | null
}

/** Reads a receipt as far as the caller may see it; 404 when that is nothing. */
export const readReceipt = async (records: Records, counter: RentalCounter, pk: string): Promise<Receipt> => {
  const { settings } = counter
  const payment = await records.get(payments, pk)
  const number = payment.receipt ?? payment.pk
  const together = await records.find(payments, { where: { receipt: number }, limit: 2000 })
  const lines = await Promise.all(together.map(one => toLine(records.asService, counter, one)))
  const date = payment.createdDate
  return {
    number,
    date,
    dateLocal: localTime(date, settings.timeZone),
    timeZone: settings.timeZone,
    currency: payment.currency,
    customer: together.every(one => payerOf(one).pk === payerOf(payment).pk) ? payerOf(payment).label : null,
    staff: payment.staff?.label ?? null,
    lines,
    total: sumOf(together.map(one => one.amount)),
    tendered: together.find(({ pk }) => pk === number)?.tendered ?? null,
  }
}

const payerOf = ({ payer, customer }: Payment) => payer ?? customer

const toLine = async (records: RecordReader, { settings }: RentalCounter, payment: Payment): Promise<ReceiptLine> => {
  const rental = payment.rental && (await records.first(rentals, { where: { pk: payment.rental.pk } }))
  const copy = rental && (await records.first(filmInventoryEntries, { where: { pk: rental.inventory.pk } }))
  const dueDate = payment.kind === 'rental' ? (rental?.dueDate ?? null) : null
  return {
    pk: payment.pk,
    kind: payment.kind,
    customer: payment.customer.label,
    film: copy?.film.label ?? null,
    copy: copy && (copy.barcode ?? copy.pk),
    days: payment.days,
    dueDate,
    dueDateLocal: dueDate && localTime(dueDate, settings.timeZone),
    amount: payment.amount,
    onAccount: payment.onAccount,
    reason: payment.reason,
  }
}

export const toValue = (
  { lines, total, tendered, ...head }: Receipt,
  scale: number,
): ShapeValue<typeof receiptShape.fields> => ({
  ...head,
  items: lines.map(line => ({ ...line, amount: toDecimal(line.amount, scale) })),
  totalCost: toDecimal(total, scale),
  tendered: tendered === null ? null : toDecimal(tendered, scale),
  change: tendered === null ? null : toDecimal(tendered - total, scale),
})

/** What follows the items: the total, and the cash and the change where these are known. */
const sumsOf = ({ total, tendered, currency }: Receipt, scale: number): [string, string][] => {
  const amount = (sum: number) => `${currency} ${amountText(sum, scale)}`
  const cash: [string, string][] =
    tendered === null
      ? []
      : [
          ['Cash received', amount(tendered)],
          ['Change', amount(tendered - total)],
        ]
  return [['Total', amount(total)], ...cash]
}

const width = 42

export const toText = (receipt: Receipt, scale: number): string => {
  const { lines } = receipt
  const row = (left: string, right: string) => {
    const [first = '', ...rest] = wrapped(left, width - right.length - 1)
    return [`${first.padEnd(width - right.length)}${right}`, ...rest].join('\n')
  }
  const body = lines.flatMap(line => [
    row(titleOf(line), amountText(line.amount, scale)),
    ...notesOf(line, receipt).flatMap(note => wrapped(note, width - 2).map(piece => `  ${piece}`)),
  ])
  const rule = '-'.repeat(width)
  const head = headOf(receipt).flatMap(([name, value]) => wrapped(`${name}: ${value}`, width))
  const sums = sumsOf(receipt, scale).map(([name, amount]) => row(name, amount))
  return `${[...head, rule, ...body, rule, ...sums].join('\n')}\n`
}

/** Broken between words, and within words that are longer than a line; further lines are set in a little. */
const wrapped = (text: string, most: number): string[] => {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/).flatMap(word => piecesOf(word, most - 2))) {
    if (line !== '' && `${line} ${word}`.length > most) {
      lines.push(line)
      line = `  ${word}`
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

const piecesOf = (word: string, most: number): string[] => {
  const characters = Array.from(word)
  const count = Math.ceil(characters.length / most)
  return Array.from({ length: count }, (_, at) => characters.slice(at * most, (at + 1) * most).join(''))
}

export const toHtml = (receipt: Receipt, scale: number): string => {
  const head = headOf(receipt).map(([name, value]) => `<dt>${name}</dt><dd>${escaped(value)}</dd>`)
  const rows = receipt.lines.map(line => {
    const notes = notesOf(line, receipt).map(note => `<br><small>${escaped(note)}</small>`)
    return `<tr><td>${escaped(titleOf(line))}${notes.join('')}</td><td>${amountText(line.amount, scale)}</td></tr>`
  })
  const sums = sumsOf(receipt, scale).map(
    ([name, amount]) => `<tr><th scope="row">${name}</th><td>${escaped(amount)}</td></tr>`,
  )
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Receipt ${escaped(receipt.number)}</title></head>
<body>
<h1>Receipt</h1>
<dl>${head.join('')}</dl>
<table>
<thead><tr><th scope="col">Item</th><th scope="col">Amount</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
<tfoot>${sums.join('')}</tfoot>
</table>
</body>
</html>
`
}

const headOf = ({ number, dateLocal, timeZone, customer, staff }: Receipt): [string, string][] => [
  ['Receipt', number],
  ['Date', `${dateLocal} ${timeZone}`],
  ...(customer === null ? [] : [['Customer', customer] satisfies [string, string]]),
  ['Served by', staff ?? ''],
]

const titles: Readonly<Record<ReceiptLine['kind'], string>> = {
  adjustment: 'Adjustment',
  rental: 'Rental',
  return: 'Return',
  waiver: 'Waived',
  void: 'Void',
  settlement: 'Settlement',
}

const titleOf = ({ kind, film }: ReceiptLine): string => (film ? `${titles[kind]} ${film}` : titles[kind])

const notesOf = (line: ReceiptLine, receipt: Pick<Receipt, 'timeZone' | 'customer'>): string[] => {
  const { kind, customer, copy, days, dueDateLocal, onAccount, reason } = line
  return [
    ...(customer !== null && customer !== receipt.customer ? [`For ${customer}`] : []),
    ...(copy ? [`Copy ${copy}`] : []),
    ...(dueDateLocal ? [`${days} d, due ${dueDateLocal}`, receipt.timeZone] : []),
    ...(kind === 'return' && days > 0 ? [`${days} d late`] : []),
    ...(onAccount ? ['On account'] : []),
    ...(reason ? [reason] : []),
  ]
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, character => entities[character] ?? '')

/** Forms that no format of records has. */
const textForms = { 'text/html': toHtml, 'text/plain': toText } as const

const textType = { type: 'string' } as const
const produces = [...valueFormats.map(({ mediaType }) => mediaType), ...Object.keys(textForms)]

export const printReceipt = defineEndpoint({
  method: 'GET',
  path: '/api/rest/order/receipts/{pk}',
  id: 'printReceipt',
  summary: 'Print the receipt of a payment',
  tag: 'rental',
  access: mayUse(payments, 'read'),
  produces,
  answers: {
    200: {
      about: 'All payments of the transaction.',
      content: { 'application/json': receiptShape, 'text/html': textType, 'text/plain': textType },
    },
  },
  problems: [401, 403, 404, 406],
  answer: async ({ records, request, params, settings }) => {
    const counter = counterOf(settings)
    const { scale } = counter.settings
    const receipt = await readReceipt(records, counter, params.pk)
    const mediaType = chooseMediaType(request.headers.accept, produces)
    if (mediaType !== 'text/html' && mediaType !== 'text/plain')
      return toValueAnswer(receiptShape, toValue(receipt, scale))
    return { kind: 'text', mediaType: `${mediaType}; charset=utf-8`, body: textForms[mediaType](receipt, scale) }
  },
})
