// Receipts in several forms; `Accept` chooses among them.

import { valueFormats } from '../../core/formats/index.ts'
import { chooseMediaType } from '../../core/formats/negotiate.ts'
import { defineEndpoint, type Endpoint } from '../../core/rest/endpoint.ts'
import { toValueAnswer } from '../../core/rest/endpoint-answers.ts'
import { mayUse } from '../../core/rest/permit.ts'
import type { RentalCounter } from './counter.ts'
import { payments } from './payments.ts'
import { toHtml, toText, toValue } from './receipt-forms.ts'
import { readReceipt } from './receipts.ts'
import { receiptShape } from './shapes.ts'

/** Forms that no format of records has. */
const textForms = { 'text/html': toHtml, 'text/plain': toText } as const

const textType = { type: 'string' } as const
const produces = [...valueFormats.map(({ mediaType }) => mediaType), ...Object.keys(textForms)]

export const printReceipt = (counter: RentalCounter): Endpoint =>
  defineEndpoint({
    method: 'GET',
    path: '/api/rest/order/receipts/{pk}',
    id: 'printReceipt',
    summary: 'Print the receipt of a payment',
    tag: 'rental',
    access: mayUse(payments, 'read'),
    produces,
    answers: {
      200: {
        about: 'Everything that was paid together.',
        content: { 'application/json': receiptShape, 'text/html': textType, 'text/plain': textType },
      },
    },
    problems: [401, 403, 404, 406],
    answer: async ({ context, request, params }) => {
      const { scale } = counter.settings
      const receipt = await readReceipt(context, counter, params.pk)
      const mediaType = chooseMediaType(request.headers.accept, produces)
      if (mediaType !== 'text/html' && mediaType !== 'text/plain')
        return toValueAnswer(receiptShape, toValue(receipt, scale))
      return { kind: 'text', mediaType: `${mediaType}; charset=utf-8`, body: textForms[mediaType](receipt, scale) }
    },
  })
