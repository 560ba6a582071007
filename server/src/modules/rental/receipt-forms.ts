// A receipt as JSON, as a page and as plain text for a printer of 42 columns.

import type { ShapeValue } from '../../core/model/shape.ts'
import { amountText, toDecimal } from './money.ts'
import type { Receipt, ReceiptLine } from './receipts.ts'
import type { receiptShape } from './shapes.ts'

export const toValue = ({ lines, total, ...head }: Receipt, scale: number): ShapeValue<typeof receiptShape.fields> => ({
  ...head,
  items: lines.map(line => ({ ...line, amount: toDecimal(line.amount, scale) })),
  totalCost: toDecimal(total, scale),
})

const width = 42

export const toText = (receipt: Receipt, scale: number): string => {
  const { lines, total, currency } = receipt
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
  return `${[...head, rule, ...body, rule, row('Total', `${currency} ${amountText(total, scale)}`)].join('\n')}\n`
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
  const total = `${receipt.currency} ${amountText(receipt.total, scale)}`
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
<tfoot><tr><th scope="row">Total</th><td>${escaped(total)}</td></tr></tfoot>
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
