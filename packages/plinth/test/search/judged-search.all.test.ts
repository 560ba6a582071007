// A collection with judged queries: the ranking of searches by words is as good as BM25 computed beside it, and the same on both databases.

import { databases, type TestedDatabase } from '@plinth/test-kit/databases'
import { extent, testAll } from '@plinth/test-kit/extent'
import { modules } from '@plinth/test-kit/platform'
import { type Random, seededRandom } from '@plinth/test-kit/seeded-random'
import { startService } from '@plinth/test-kit/service'
import { expect, test } from 'vitest'
import { defineResource } from '../../src/core/model/define.ts'
import { text } from '../../src/core/model/fields.ts'
import { assigned } from '../../src/core/model/identifier.ts'
import { stemOf, wordsOf } from '../../src/core/model/search/analysis.ts'
import { defineModule } from '../../src/core/module.ts'

const papers = defineResource('papers', {
  about: 'Papers.',
  identifier: assigned(),
  search: ['title', 'body'],
  fields: { title: text({ required: true, max: 200 }), body: text({ max: 5000 }) },
  access: { read: 'true', write: 'true' },
})

const library = defineModule({ name: 'papers', about: 'Papers.', resources: [papers] })

const topics = [
  'harbour ships sailing anchors lighthouse cargo captain sailors',
  'baking bread flour ovens yeast dough crust kneading',
  'mountains climbing ropes glaciers summit avalanche climbers peaks',
  'painting canvas brushes museums portraits colours galleries painters',
  'planets orbits telescopes astronomy comets stars satellites gravity',
  'gardens planting seeds roses compost pruning gardeners hedges',
  'trains railways stations tracks engines signals timetables carriages',
  'music violins concerts orchestra melodies rehearsals conductors harmony',
].map(words => words.split(' '))

const background =
  'people years times ways days things work life world part house place case week company system program question government number night point home water room mother area money story fact month lot right study book eye job word business issue side kind head service friend father power hour game line end member law car city community name'.split(
    ' ',
  )

interface Paper {
  readonly pk: string
  readonly title: string
  readonly body: string
  readonly topic: number
  /** How much of it is about its topic. */
  readonly strength: number
}

const papersOf = (random: Random): readonly Paper[] =>
  Array.from({ length: 400 }, (_, at) => {
    const topic = at % topics.length
    const strength = random.next()
    const word = (share: number): string =>
      random.next() < share ? random.pick(topics[topic] ?? []) : random.pick(background)
    const words = (length: number, share: number) => Array.from({ length }, () => word(share)).join(' ')
    return {
      pk: `P${String(at).padStart(4, '0')}`,
      title: words(4, strength * 0.5),
      body: words(15 + Math.floor(random.next() * 60), strength * 0.35),
      topic,
      strength,
    }
  })

interface JudgedQuery {
  readonly search: string
  readonly topic: number
}

const queriesOf = (random: Random): readonly JudgedQuery[] =>
  Array.from({ length: 80 }, (_, at) => {
    const topic = at % topics.length
    const words = topics[topic] ?? []
    const first = random.pick(words)
    const second = random.pick(words.filter(word => word !== first))
    return { topic, search: at % 2 === 0 ? `${first} ` : `${first} ${second} ` }
  })

const gradeOf = (paper: Paper | undefined, { topic }: JudgedQuery): number =>
  paper?.topic === topic ? Math.ceil(paper.strength * 3) : 0

const gain = (grades: readonly number[]): number =>
  grades.slice(0, 10).reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0)

/** Normalized discounted cumulative gain of the first ten. */
const ndcg = (found: readonly number[], all: readonly number[]): number =>
  gain(found) / gain(all.toSorted((left, right) => right - left))

/** BM25 of documents in which a title counts twice, for documents that have all words. */
const reference = (all: readonly Paper[]) => {
  const documents = all.map(({ pk, title, body }) => {
    const words = [title, title, body].flatMap(one => wordsOf(one)).map(word => stemOf(word, 'en'))
    const counts = new Map<string, number>()
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
    return { pk, counts, length: words.length }
  })
  const average = documents.reduce((sum, { length }) => sum + length, 0) / documents.length
  return (search: string): readonly string[] => {
    const words = wordsOf(search).map(word => stemOf(word, 'en'))
    const scoreOf = ({ counts, length }: (typeof documents)[number]): number =>
      words.reduce((sum, word) => {
        const having = documents.filter(one => one.counts.has(word)).length
        const occurs = counts.get(word) ?? 0
        const rarity = Math.log(1 + (documents.length - having + 0.5) / (having + 0.5))
        return sum + (rarity * occurs * 2.2) / (occurs + 1.2 * (0.25 + (0.75 * length) / average))
      }, 0)
    return documents
      .map(one => ({ pk: one.pk, score: scoreOf(one) }))
      .filter(({ score }) => score > 0)
      .toSorted((left, right) => right.score - left.score || (left.pk < right.pk ? -1 : 1))
      .map(({ pk }) => pk)
  }
}

const found = new Map<string, readonly (readonly string[])[]>()

test.each(extent<readonly TestedDatabase[]>(['sqlite'], databases))(
  'judged queries are answered at least as well as by BM25 on %s',
  async database => {
    const service = await startService(database, { modules: [...modules, library] })
    try {
      const random = seededRandom(20)
      const all = papersOf(random)
      const byPk = new Map(all.map(paper => [paper.pk, paper]))
      await service.app.platform.records.createMany(
        papers,
        all.map(({ pk, title, body }) => ({ pk, title, body })),
      )
      const rank = reference(all)
      const means = { service: 0, reference: 0 }
      const lists: (readonly string[])[] = []
      for (const query of queriesOf(random)) {
        const { body } = await service.anonymous.get(
          `/api/rest/papers?search=${encodeURIComponent(query.search)}&_ps=50`,
        )
        const pks = body.content.map(({ pk }: { pk: string }) => pk)
        lists.push(pks)
        const ideal = all.map(paper => gradeOf(paper, query))
        const gradesOf = (ranked: readonly string[]) => ranked.map(pk => gradeOf(byPk.get(pk), query))
        means.service += ndcg(gradesOf(pks), ideal)
        means.reference += ndcg(gradesOf(rank(query.search)), ideal)
      }
      found.set(database, lists)
      expect(means.service, JSON.stringify(means)).toBeGreaterThanOrEqual(means.reference)
    } finally {
      await service.stop()
    }
  },
)

testAll('both databases put the same records into the same order', () => {
  const [first, second] = databases.map(database => found.get(database))
  expect(second).toEqual(first)
})
