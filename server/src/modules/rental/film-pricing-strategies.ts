import { defineResource, type Row } from '../../core/model/define.ts'
import { integer, many, money, text } from '../../core/model/fields.ts'
import { catalogueAccess } from './access.ts'

/** In whole units of the currency: low enough that no sum of an order leaves the exact integers. */
export const highestPrice = 1_000_000

export const defineStrategies = (scale: number) =>
  defineResource('filmPricingStrategies', {
    about: 'How the price of renting a film comes about.',
    label: 'name',
    stamps: 'people',
    showsId: true,
    fields: {
      name: text({ required: true, max: 100 }),
      initialPrice: money({ required: true, scale, min: 0, max: highestPrice, about: 'The price to rent a film.' }),
      daysFree: integer({ required: true, min: 0, max: 365, about: 'How many days the initial price includes.' }),
      dailyPrice: money({
        required: true,
        scale,
        min: 0,
        max: highestPrice,
        about: 'The price of each further day, early or late.',
      }),
      bonusPoints: integer({ default: 0, min: 0, max: 1000, about: 'What a rental earns the customer.' }),
      films: many('films', { by: 'pricingStrategy' }),
    },
    access: catalogueAccess,
  })

export type Strategy = Row<ReturnType<typeof defineStrategies>>
