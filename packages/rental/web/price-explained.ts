// How a price comes about, as a sentence.

import { useTexts } from '@plinth/web'
import { counterTexts } from './dictionary.ts'
import { useMoney } from './money.ts'
import type { OrderQuote } from './orders.ts'

export const usePriceExplained = (): ((order: OrderQuote) => string) => {
  const t = useTexts(counterTexts)
  const money = useMoney()
  const ofRental = ({ pricingStrategy, days, currency }: OrderQuote): string => {
    const { initialPrice, daysFree, dailyPrice } = pricingStrategy
    const amount = money(initialPrice, currency)
    const initial =
      daysFree === 0 ? t('basePrice', { initial: amount }) : t('coversAll', { count: daysFree, initial: amount })
    const more = Math.max(0, days - daysFree)
    const further = more > 0 ? [t('furtherDays', { count: more, daily: money(dailyPrice, currency) })] : []
    return [initial, ...further].join(' + ')
  }
  const ofReturn = ({ pricingStrategy, days, currency, replacementFee = 0 }: OrderQuote): string => {
    const late = days > 0 ? [t('late', { count: days, daily: money(pricingStrategy.dailyPrice, currency) })] : []
    const fee = replacementFee > 0 ? [t('replacement', { fee: money(replacementFee, currency) })] : []
    return [...late, ...fee].join(' + ') || t('inTime')
  }
  return order => (order.rentalId === null ? ofRental(order) : ofReturn(order))
}
