import { defineResource, variantOf } from '../../core/model/define.ts'
import { choice, counted, integer, links, longText, many, money, ref, text } from '../../core/model/fields.ts'
import type { Row } from '../../core/model/row.ts'
import { catalogueAccess } from './access.ts'
import { highestPrice } from './film-pricing-strategies.ts'

const defineFilms = (scale: number) =>
  defineResource('films', {
    title: { de: 'Filme' },
    singularTitle: { de: 'Film' },
    about: { en: 'Titles that the store rents out.', de: 'Titel, die der Laden verleiht.' },
    label: 'title',
    stamps: 'people',
    showsId: true,
    fields: {
      title: text({ required: true, max: 200, title: { de: 'Titel' } }),
      description: longText({ max: 4000, title: { de: 'Beschreibung' } }),
      mpaaRating: choice(mpaaRatings, {
        default: 'unrated',
        indexed: true,
        aliases: { PG13: 'PG-13', NC17: 'NC-17' },
        labels: { unrated: { de: 'ohne Freigabe' } },
        title: { de: 'Freigabe' },
      }),
      runtimeInSeconds: integer({ min: 0, max: 1_000_000, title: { de: 'Laufzeit in Sekunden' } }),
      releaseYear: integer({ min: 1870, max: 9999, indexed: true, title: { de: 'Erscheinungsjahr' } }),
      replacementCost: money({
        scale,
        min: 0,
        max: highestPrice,
        about: {
          en: 'Charged for a copy that is lost or damaged.',
          de: 'Für ein verlorenes oder beschädigtes Exemplar.',
        },
        title: { de: 'Ersatzkosten' },
      }),
      primaryLanguage: text({ max: 20, default: 'en', title: { de: 'Sprache' } }),
      pricingStrategy: ref('filmPricingStrategies', { required: true, title: { de: 'Preismodell' } }),
      filmActors: links('filmActors', { embed: true, title: { en: 'Actors', de: 'Darsteller' } }),
      filmCategories: links('filmCategories', { embed: true, title: { en: 'Categories', de: 'Kategorien' } }),
      copies: many('filmInventoryEntries', { by: 'film', title: { de: 'Exemplare' } }),
      copyCount: counted('copies', { title: { en: 'Copies', de: 'Exemplare' } }),
      availableCount: counted('copies', {
        where: { member: 'available', equals: true },
        title: { en: 'Available copies', de: 'Verfügbare Exemplare' },
      }),
    },
    access: catalogueAccess,
  })

/** In cents. Code asks for records by it, whatever the currency of the store. */
export const mpaaRatings = ['unrated', 'G', 'PG', 'PG-13', 'R', 'NC-17'] as const

export const films = defineFilms(2)

export const createFilms = (scale: number) => variantOf(films, defineFilms(scale))

export type Film = Row<typeof films>
