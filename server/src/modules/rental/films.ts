import { defineResource, type Row } from '../../core/model/define.ts'
import { choice, counted, integer, links, longText, many, money, ref, text } from '../../core/model/fields.ts'
import { catalogueAccess } from './access.ts'
import { highestPrice } from './film-pricing-strategies.ts'

export const defineFilms = (scale: number) =>
  defineResource('films', {
    about: 'Titles that the store rents out.',
    label: 'title',
    stamps: 'people',
    showsId: true,
    fields: {
      title: text({ required: true, max: 200 }),
      description: longText({ max: 4000 }),
      mpaaRating: choice(['unrated', 'G', 'PG', 'PG-13', 'R', 'NC-17'], {
        default: 'unrated',
        indexed: true,
        aliases: { PG13: 'PG-13', NC17: 'NC-17' },
      }),
      runtimeInSeconds: integer({ min: 0, max: 1_000_000 }),
      releaseYear: integer({ min: 1870, max: 9999, indexed: true }),
      replacementCost: money({
        scale,
        min: 0,
        max: highestPrice,
        about: 'Charged for a copy that is lost or damaged.',
      }),
      primaryLanguage: text({ max: 20, default: 'en' }),
      pricingStrategy: ref('filmPricingStrategies', { required: true }),
      filmActors: links('filmActors', { embed: true, title: 'Actors' }),
      filmCategories: links('filmCategories', { embed: true, title: 'Categories' }),
      copies: many('filmInventoryEntries', { by: 'film' }),
      copyCount: counted('copies', { title: 'Copies' }),
      availableCount: counted('copies', { where: { member: 'available', equals: true }, title: 'Available copies' }),
    },
    access: catalogueAccess,
  })

export type Film = Row<ReturnType<typeof defineFilms>>
