import { defineResource, variantOf } from '../../core/model/define.ts'
import { integer, many, money, text } from '../../core/model/fields.ts'
import type { Row } from '../../core/model/row.ts'
import { catalogueAccess } from './access.ts'

/** In whole units of the currency: low enough that no sum of an order leaves the exact integers. */
export const highestPrice = 1_000_000

const defineStrategies = (scale: number) =>
  defineResource('filmPricingStrategies', {
    title: { de: 'Preismodelle' },
    singularTitle: { de: 'Preismodell' },
    about: {
      en: 'How the price of renting a film comes about.',
      de: 'Wie sich der Preis einer Ausleihe zusammensetzt.',
    },
    label: 'name',
    stamps: 'people',
    showsId: true,
    fields: {
      name: text({ required: true, max: 100, title: { de: 'Name' } }),
      initialPrice: money({
        required: true,
        scale,
        min: 0,
        max: highestPrice,
        about: { en: 'The price to rent a film.', de: 'Der Preis einer Ausleihe.' },
        title: { de: 'Grundpreis' },
      }),
      daysFree: integer({
        required: true,
        min: 0,
        max: 365,
        about: { en: 'How many days the initial price includes.', de: 'Wie viele Tage der Grundpreis enthält.' },
        title: { de: 'Freie Tage' },
      }),
      dailyPrice: money({
        required: true,
        scale,
        min: 0,
        max: highestPrice,
        about: {
          en: 'The price of each further day, early or late.',
          de: 'Der Preis jedes weiteren Tages, vereinbart oder verspätet.',
        },
        title: { de: 'Tagespreis' },
      }),
      bonusPoints: integer({
        default: 0,
        min: 0,
        max: 1000,
        about: { en: 'What a rental earns the customer.', de: 'Bonuspunkte für den Kunden.' },
        title: { de: 'Bonuspunkte' },
      }),
      films: many('films', { by: 'pricingStrategy', title: { de: 'Filme' } }),
    },
    access: catalogueAccess,
  })

/** In cents. Code asks for records by it, whatever the currency of the store. */
export const filmPricingStrategies = defineStrategies(2)

export const createFilmPricingStrategies = (scale: number) => variantOf(filmPricingStrategies, defineStrategies(scale))

export type Strategy = Row<typeof filmPricingStrategies>
