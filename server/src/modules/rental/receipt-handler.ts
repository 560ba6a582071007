// Receipts in three forms; `Accept` chooses among them.

import { formatsByName } from '../../core/formats/index.ts'
import type { Handler, Request } from '../../core/http/exchange.ts'
import type { Answer } from '../../core/rest/answer.ts'
import { respond } from '../../core/rest/respond.ts'
import type { Service } from '../../core/rest/service.ts'
import type { Counter } from './counter.ts'
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

export const receiptHandler = (service: Service, counter: Counter): Handler => {
  const handlerOf = (form: Form): Handler =>
    respond(service, {
      resource: counter.payments,
      format: formatsByName.json,
      takesBody: false,
      run: async (context, { request }) =>
        form(await readReceipt(context, counter, request.params.pk ?? ''), counter.settings.scale),
    })
  const asFormat = handlerOf(asValue)
  const asText = new Map(Object.entries(texts).map(([type, form]) => [type, handlerOf(form)]))
  return request => {
    const handler = asText.get(firstTypeOf(request))
    // The formats of records know nothing of these types and would find them unacceptable.
    return handler ? handler({ ...request, headers: { ...request.headers, accept: '*/*' } }) : asFormat(request)
  }
}

/** The type that the caller likes best: of equal ones the first, as browsers mean it. */
const firstTypeOf = ({ headers }: Request): string => {
  const ranges = (headers.accept ?? '').split(',').map(range => {
    const [type = '', ...parameters] = range.split(';').map(part => part.trim().toLowerCase())
    const weight = parameters.find(part => part.startsWith('q='))
    return { type, quality: weight ? Number(weight.slice(2)) || 0 : 1 }
  })
  return ranges.sort((a, b) => b.quality - a.quality)[0]?.type ?? ''
}
