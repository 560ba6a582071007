// Destinations → topics. What does not exist and what is internal are the same.

import { defineFaults } from '../../core/fault.ts'
import { isPossiblePk } from '../../core/model/pk.ts'
import type { Resource } from '../../core/model/resource.ts'
import { Problem } from '../../core/problem.ts'
import type { Platform } from '../../core/rest/platform.ts'
import { createChangeTopic } from './change-topic.ts'
import { createQueues } from './queues.ts'
import type { Topic } from './topic.ts'

/** Gives the topic of a destination, or a problem. */
export type ReadTopic = (destination: string) => Topic

const shape = /^\/topic\/([A-Za-z0-9]{1,100})(?:\/(.{1,255}))?$/s

export const createTopics = (platform: Platform): ReadTopic => {
  const { registry } = platform
  const queues = createQueues(platform)
  return destination => {
    const queue = queues.get(destination)
    if (queue) return queue
    const [, name = '', pk] = shape.exec(destination) ?? []
    const resource = registry.published(name)
    if (!resource) throw new Problem('not_found', 'There is no such destination.')
    if (pk === undefined) return createChangeTopic(destination, { resource })
    if (!isPossiblePk(resource, pk)) throw badIdentifier(resource)
    return createChangeTopic(destination, { resource, pk })
  }
}

export const realtimeFault = defineFaults({
  repeated_topic: { en: "'topic' names {topic} more than once.", de: '„topic“ nennt {topic} mehr als einmal.' },
  impossible_pk: {
    en: "No record of '{resource}' can have an identifier like this one.",
    de: 'Kein Datensatz von „{resource}“ kann eine solche Kennung haben.',
  },
})

const badIdentifier = ({ name }: Resource): Problem => {
  const reason = realtimeFault('impossible_pk', { resource: name })
  return new Problem('bad_parameter', { detail: reason.message, errors: [{ parameter: 'topic', ...reason }] })
}

/** Joins several topics to one, so that one place in the order serves for all of them. */
export const joined = (topics: readonly Topic[]): Topic => {
  const [only, second] = topics
  if (only && !second) return only
  return {
    key: topics.map(topic => topic.key),
    holders: [...new Set(topics.flatMap(topic => topic.holders))],
    audienceFor: listener => ({ ...listener, key: topics.map(topic => topic.audienceFor(listener).key) }),
    messages: async (batch, audience) => {
      const all = await Promise.all(topics.map(topic => topic.messages(batch, audience)))
      return all.flat().sort((left, right) => left.sequence - right.sequence)
    },
  }
}
