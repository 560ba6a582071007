// Receipts in three forms; `Accept` chooses among them.

import { formats, formatsByName } from '../../core/formats/index.ts'
import { chooseMediaType } from '../../core/formats/negotiate.ts'
import type { Handler } from '../../core/http/exchange.ts'
import type { Answer } from '../../core/rest/answer.ts'
import { allowed } from '../../core/rest/permit.ts'
import { respond } from '../../core/rest/respond.ts'
import type { Service } from '../../core/rest/service.ts'
import type { RentalCounter } from './counter.ts'
import { payments } from './payments.ts'
import { toHtml, toJson, toText } from './receipt-forms.ts'
import { type Receipt, readReceipt } from './receipts.ts'

type Form = (receipt: Receipt, scale: number) => Answer

const asValue: Form = (receipt, scale) => ({
  kind: 'value',
  status: 200,
  name: 'receipt',
  value: toJson(receipt, scale),
})

/** Forms that no format of records has. */
const texts: Readonly<Record<string, Form>> = {
  'text/html': (receipt, scale) => ({
    kind: 'text',
    mediaType: 'text/html; charset=utf-8',
    body: toHtml(receipt, scale),
  }),
  'text/plain': (receipt, scale) => ({
    kind: 'text',
    mediaType: 'text/plain; charset=utf-8',
    body: toText(receipt, scale),
  }),
}

export const receiptHandler = (service: Service, counter: RentalCounter): Handler => {
  const resource = service.platform.registry.resource(payments)
  const handlerOf = (form: Form, produces?: string): Handler =>
    respond(service, {
      resource,
      format: formatsByName.json,
      takesBody: false,
      permit: allowed(resource, 'read'),
      ...(produces !== undefined && { produces }),
      run: async (context, { request }) =>
        form(await readReceipt(context, counter, request.params.pk ?? ''), counter.settings.scale),
    })
  const asFormat = handlerOf(asValue)
  const asText = new Map(Object.entries(texts).map(([type, form]) => [type, handlerOf(form, type)]))
  const offered = [...formats.map(({ mediaType }) => mediaType), ...asText.keys()]
  return request => {
    const handler = asText.get(chooseMediaType(request.headers.accept, offered) ?? '')
    return handler ? handler(request) : asFormat(request)
  }
}
