import { describe, expect, test } from 'vitest'
import { LoadMeter, type LoadSample } from './load-meter.ts'

/** A quarter of a second in which the event loop has no pause. */
const busy: LoadSample = { ms: 250, activeMs: 250, processorMs: 250, arrived: 125, answered: 125, mostInHand: 1000 }

const overloadedAfter = (samples: number, sample: LoadSample): boolean => {
  const meter = new LoadMeter(500)
  for (let count = 0; count < samples; count++) meter.add(sample)
  return meter.isOverloaded
}

test('there is room for as many requests as the limit has processor time for', () => {
  const meter = new LoadMeter(500)
  for (let count = 0; count < 10; count++) meter.add(busy)
  expect(Math.round(meter.room)).toBe(250)
})

describe('overload', () => {
  test('is more requests than there is room for, for some seconds', () => {
    expect(overloadedAfter(9, busy)).toBe(false)
    expect(overloadedAfter(10, busy)).toBe(true)
  })

  test('begins later where the machine is busy with other programs', () => {
    const starved = { ...busy, processorMs: 25, arrived: 12, answered: 12 }
    expect(overloadedAfter(39, starved)).toBe(false)
    expect(overloadedAfter(40, starved)).toBe(true)
  })

  test('ends with the first sample in which the requests fit', () => {
    const meter = new LoadMeter(500)
    for (let count = 0; count < 20; count++) meter.add(busy)
    meter.add({ ...busy, mostInHand: 100 })
    expect([meter.isOverloaded, meter.isCrowded]).toEqual([false, false])
  })
})

describe('it is no overload when', () => {
  test.each<[string, Partial<LoadSample>]>([
    ['one request takes long', { arrived: 0, answered: 0, mostInHand: 1 }],
    ['a few requests take long', { arrived: 0, answered: 0, mostInHand: 50 }],
    ['many requests wait for something else', { activeMs: 50, processorMs: 50, arrived: 2, answered: 2 }],
    ['many wait for something else on a busy machine', { activeMs: 225, processorMs: 25, arrived: 0, answered: 0 }],
    ['other programs keep the machine busy', { processorMs: 25, arrived: 50, answered: 50, mostInHand: 400 }],
    ['requests are many and cheap', { arrived: 1000, answered: 1000, mostInHand: 900 }],
  ])('%s', (_, sample) => {
    expect(overloadedAfter(100, { ...busy, ...sample })).toBe(false)
  })

  test('there is one long pause', () => {
    const meter = new LoadMeter(500)
    for (const pause of [60_000, 250])
      meter.add({ ...busy, ms: pause, activeMs: pause, processorMs: pause, arrived: 0, answered: 0 })
    expect(meter.isOverloaded).toBe(false)
  })

  test('many requests arrive at once on a busy machine, before the first of them is answered', () => {
    const meter = new LoadMeter(500)
    const starved = { ...busy, processorMs: 60, answered: 0 }
    for (let inHand = 50; inHand <= 500; inHand += 50) meter.add({ ...starved, arrived: 50, mostInHand: inHand })
    for (let inHand = 450; inHand >= 0; inHand -= 50)
      meter.add({ ...starved, arrived: 0, answered: 50, mostInHand: inHand })
    expect(meter.isOverloaded).toBe(false)
  })
})
