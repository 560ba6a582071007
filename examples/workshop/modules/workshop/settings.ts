import { decimal, defineSettings, money, text } from 'plinth'

/** Set by `app.workshop.vatPercent`, or by `APP_WORKSHOP_VATPERCENT` in the environment. */
export const workshopSettings = defineSettings('app.workshop', {
  currency: text({ default: 'EUR', about: 'The currency of all prices, by ISO 4217.' }),
  vatPercent: decimal({ default: 19, min: 0, max: 100, scale: 2, about: 'The value-added tax, in per cent.' }),
  hourlyRate: money({ default: 60, min: 0, about: 'The price of an hour of work, without tax.' }),
})
