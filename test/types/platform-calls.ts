// Calls of the client library, typed by the application of this repository. Checked by the compiler, never run.

import { createClient } from '@plinth/client'
import type { SchemaOf } from 'plinth'
import type app from '../../plinth.config.ts'
import { same } from './same.ts'

const client = createClient<SchemaOf<typeof app>>({ url: 'https://service.example' })

/** Right calls, each with the exact type of its result. */
export const right = async (): Promise<void> => {
  const film = await client.films.get('1')
  same<string>().as(film.pk)
  same<string>().as(film.title)
  same<string>().as(film.pricingStrategy.pk)
  const rental = await client.rentals.get('1')
  same<string>().as(rental.pk)
  const user = await client.users.get('1')
  same<string>().as(user.username)
  const page = await client.films.find({ where: { title: { ilike: 'a*' } }, limit: 10 })
  same<number | null>().as(page.total)
  same<string | undefined>().as(page.items[0]?.title)
  same<number>().as(await client.rentals.count())
  same<number>().as(await client.films.count({ where: { pricingStrategy: { name: { like: 'N*' } } } }))
  same<typeof film | null>().as(await client.films.first({ sort: 'title' }))
  const priced = await client.films.get('1', { include: ['pricingStrategy'] })
  same<string>().as(priced.pricingStrategy.name)
  same<void>().as(await client.films.remove('1'))
  same<typeof film>().as(await client.films.update('1', { title: 'Alien' }))
  same<string | undefined>().as((await client.roles.first())?.name)
  same<string | undefined>().as((await client.hosts.first())?.pk)
  same<string | undefined>().as((await client.webhooks.first())?.pk)
  same<string | undefined>().as((await client.friendships.first())?.pk)
  same<string | undefined>().as((await client.continents.first())?.pk)
  same<string | undefined>().as((await client.payments.first())?.pk)
  same<string | undefined>().as((await client.countries.first())?.pk)
  same<string | undefined>().as((await client.localities.first())?.pk)
  same<string | undefined>().as((await client.postalCodes.first())?.pk)
  same<string | undefined>().as((await client.contactDetails.first())?.pk)
  same<string | undefined>().as((await client.personalDetails.first())?.pk)
  same<string | undefined>().as((await client.clientErrors.first())?.pk)
  same<string | undefined>().as((await client.filmActors.first())?.pk)
  same<string | undefined>().as((await client.filmCategories.first())?.pk)
  same<string | undefined>().as((await client.filmInventoryEntries.first())?.pk)
  same<string | undefined>().as((await client.filmPricingStrategies.first())?.pk)
  same<string | null>().as(page.next)
  same<number>().as(film.version)
  same<string>().as(film.createdDate)
  same<readonly (typeof film)[]>().as(await client.films.getMany(['1', '2']))
  same<typeof user>().as(await client.users.get('2'))
}

/** Wrong calls, none of which compiles. */
export const wrong = async (): Promise<void> => {
  // @ts-expect-error: no such resource
  await client.film.find()
  // @ts-expect-error: internal resources have no address
  await client.signingKeys.find()
  // @ts-expect-error: no such endpoint
  await client.endpoints.submitOrder()
  const film = await client.films.get('1')
  // @ts-expect-error: no such field
  film.titel
  // @ts-expect-error: a text
  film.title.toFixed()
  // @ts-expect-error: the strategy is there in short form only
  film.pricingStrategy.about
  // @ts-expect-error: a misspelt field in a condition
  await client.films.find({ where: { titel: 'Alien' } })
  // @ts-expect-error: a misspelt field along a relation
  await client.films.find({ where: { pricingStrategy: { nmae: 'New' } } })
  // @ts-expect-error: a misspelt sort
  await client.films.find({ sort: 'titel' })
  // @ts-expect-error: a misspelt relation
  await client.films.get('1', { include: ['pricingStrategi'] })
  // @ts-expect-error: a relation of another resource
  await client.films.get('1', { include: ['country'] })
  // @ts-expect-error: required fields are missing
  await client.films.create({})
  // @ts-expect-error: the version is kept by the service
  await client.films.update('1', { createdDate: '2026-01-01T00:00:00Z' })
  // @ts-expect-error: a misspelt field
  await client.users.update('1', { usernmae: 'ada' })
  // @ts-expect-error: a value of another type
  await client.films.find({ where: { title: 3 } })
}
