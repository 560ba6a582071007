// The catalogue: films, their actors and categories, and how they are priced.

import {
  choice,
  computed,
  counted,
  defineResource,
  integer,
  links,
  longText,
  many,
  money,
  type Row,
  ref,
  text,
} from 'plinth'
import { treeFields, treeHooks } from 'plinth/module'
import { catalogueAccess } from './access.ts'
import { currencySetting } from './settings.ts'

/** The highest price in whole units of the currency: low enough that no sum of an order leaves the exact integers. */
export const highestPrice = 1_000_000

export const mpaaRatings = ['unrated', 'G', 'PG', 'PG-13', 'R', 'NC-17'] as const

export const filmPricingStrategies = defineResource('filmPricingStrategies', {
  title: { de: 'Preismodelle' },
  singularTitle: { de: 'Preismodell' },
  about: {
    en: 'Prices of film rentals.',
    de: 'Preise für die Ausleihe von Filmen.',
  },
  label: 'name',
  stamps: 'people',
  showsId: true,
  history: true,
  trash: true,
  fields: {
    name: text({ required: true, max: 100, title: { de: 'Name' } }),
    initialPrice: money({
      required: true,
      currency: currencySetting,
      min: 0,
      max: highestPrice,
      about: { en: 'The price to rent a film.', de: 'Der Preis einer Ausleihe.' },
      title: { de: 'Grundpreis' },
    }),
    daysFree: integer({
      required: true,
      min: 0,
      max: 365,
      about: {
        en: 'The number of days included in the initial price.',
        de: 'Die Anzahl der Tage, die der Grundpreis enthält.',
      },
      title: { de: 'Freie Tage' },
    }),
    dailyPrice: money({
      required: true,
      currency: currencySetting,
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
      about: { en: 'Bonus points for the customer.', de: 'Bonuspunkte für den Kunden.' },
      title: { de: 'Bonuspunkte' },
    }),
    films: many('films', { by: 'pricingStrategy', title: { de: 'Filme' } }),
  },
  access: catalogueAccess,
})

export type Strategy = Row<typeof filmPricingStrategies>

export const filmActors = defineResource('filmActors', {
  title: { de: 'Darsteller' },
  singularTitle: { de: 'Darsteller' },
  about: { en: 'Actors in films.', de: 'Darstellerinnen und Darsteller.' },
  label: 'name',
  stamps: 'people',
  showsId: true,
  history: true,
  trash: true,
  fields: {
    firstName: text({ max: 100, title: { de: 'Vorname' } }),
    lastName: text({ required: true, max: 100, indexed: true, title: { de: 'Nachname' } }),
    name: computed(
      text({ max: 201, title: { de: 'Name' } }),
      ({ firstName, lastName }: { readonly firstName?: string | null | undefined; readonly lastName: string }) =>
        [firstName, lastName].filter(Boolean).join(' '),
    ),
    films: many('films', { by: 'filmActors', title: { de: 'Filme' } }),
  },
  access: catalogueAccess,
})

export const filmCategories = defineResource('filmCategories', {
  title: { de: 'Filmkategorien' },
  singularTitle: { de: 'Filmkategorie' },
  about: { en: 'Film categories, as a hierarchy.', de: 'Filmkategorien als Hierarchie.' },
  label: 'name',
  stamps: 'people',
  showsId: true,
  history: true,
  trash: true,
  fields: {
    name: text({ required: true, max: 100, title: { de: 'Name' } }),
    parent: ref('filmCategories', { title: { de: 'Übergeordnet' } }),
    ...treeFields,
    children: many('filmCategories', { by: 'parent', title: { de: 'Untergeordnete Datensätze' } }),
    films: many('films', { by: 'filmCategories', title: { de: 'Filme' } }),
  },
  hooks: treeHooks,
  access: catalogueAccess,
})

export const films = defineResource('films', {
  title: { de: 'Filme' },
  singularTitle: { de: 'Film' },
  about: { en: 'The films of the store.', de: 'Die Filme des Ladens.' },
  label: 'title',
  stamps: 'people',
  showsId: true,
  history: true,
  trash: true,
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
      currency: currencySetting,
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
      where: { field: 'available', equals: true },
      title: { en: 'Available copies', de: 'Verfügbare Exemplare' },
    }),
  },
  access: catalogueAccess,
})

export type Film = Row<typeof films>
