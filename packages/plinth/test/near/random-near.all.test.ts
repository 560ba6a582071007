// The nearest records of random vectors are those that JavaScript finds by comparing all of them, on both databases to the last digit.

import { databases } from '@plinth/test-kit/databases'
import { modules } from '@plinth/test-kit/platform'
import { createRandom } from '@plinth/test-kit/random'
import { type Client, startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defineResource } from '../../src/core/model/define.ts'
import { boolean, text, vector } from '../../src/core/model/fields.ts'
import { distanceBetween, distances, type Vector } from '../../src/core/model/vectors.ts'
import { defineModule } from '../../src/core/module.ts'

const size = 48
const rule = "!record.secret || caller.has('ROLE_STAFF')"

const points = defineResource('points', {
  about: 'Points.',
  label: 'name',
  fields: {
    name: text({ required: true, max: 20 }),
    secret: boolean({ default: false }),
    ...{ cosine: vector(size), innerProduct: vector(size, { distance: 'innerProduct' }) },
    euclidean: vector(size, { distance: 'euclidean' }),
  },
  access: { read: rule },
})

interface Point {
  readonly name: string
  readonly secret: boolean
  readonly numbers: Vector | null
}

describe.each(databases)('on %s', database => {
  const random = createRandom()
  const randomVector = (): Vector =>
    Array.from({ length: size }, () => Math.fround((random.next() - 0.5) * 10 ** random.pick([-6, 0, 5])))
  const made: Point[] = Array.from({ length: 300 }, (_, at) => ({
    name: String(at),
    secret: random.next() < 0.3,
    numbers: random.next() < 0.1 ? null : randomVector(),
  }))
  let service: TestService
  let callers: Readonly<Record<'staff' | 'simple', Client>>
  beforeAll(async () => {
    const module = defineModule({ name: 'points', about: 'Points.', resources: [points] })
    service = await startService(database, { modules: [...modules, module] })
    callers = { staff: service.as('staff'), simple: service.as('simple') }
    await service.app.platform.records.createMany(
      points,
      made.map(({ name, secret, numbers }) => ({
        ...{ name, secret },
        ...Object.fromEntries(distances.map(distance => [distance, numbers])),
      })),
    )
  })
  afterAll(() => service.stop())

  test.each(distances)('by %s', async distance => {
    for (let round = 0; round < 40; round++) {
      const caller = random.pick(['staff', 'simple'] as const)
      const near = randomVector()
      const sent = encodeURIComponent(round % 2 === 0 ? JSON.stringify(near) : toBase64(near))
      const { body } = await callers[caller].get(
        `/api/rest/points?near[${distance}]=${sent}&_ps=25&_matches=true&filter=name!=7`,
      )
      const expected = made
        .filter(({ name, secret, numbers }) => numbers && name !== '7' && (caller === 'staff' || !secret))
        .map(({ name, numbers }) => ({ name, distance: distanceBetween(numbers ?? [], near, distance) }))
        .toSorted((left, right) => left.distance - right.distance)
      expect(body.page.totalElements).toBe(expected.length)
      expect(body.matches.map((match: { distance: number }) => match.distance)).toEqual(
        expected.slice(0, 25).map(one => one.distance),
      )
      expect(body.content.map(({ name }: { name: string }) => name)).toEqual(expected.slice(0, 25).map(one => one.name))
    }
  })
})

const toBase64 = (numbers: Vector): string => Buffer.from(new Float32Array(numbers).buffer).toString('base64url')
