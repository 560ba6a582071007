// The loggers and their levels, in the words that dashboards know: capitals, and OFF for silence.

import { fault } from '../../core/fault.ts'
import { readMediaType } from '../../core/formats/media-type.ts'
import type { Request } from '../../core/http/exchange.ts'
import { type Level, type LoggerLevel, type Logs, levels } from '../../core/log/logs.ts'
import type { Json } from '../../core/model/json.ts'
import { Problem } from '../../core/problem.ts'
import { readJson } from '../../core/rest/body.ts'
import { actuatorType, jsonType } from './media-types.ts'

const toWord = (level: Level): string => (level === 'silent' ? 'OFF' : level.toUpperCase())

const toLevels = ({ configured, effective }: LoggerLevel): Json => ({
  configuredLevel: configured && toWord(configured),
  effectiveLevel: toWord(effective),
})

export const levelWords: readonly string[] = levels.map(toWord)

export const listLoggers = (logs: Logs): Json => ({
  levels: levelWords,
  loggers: Object.fromEntries(logs.list().map(one => [one.name, toLevels(one)])),
})

export const showLogger = (logs: Logs, name: string): Json => {
  const found = logs.list().find(one => one.name === name)
  if (!found) throw new Problem('not_found')
  return toLevels(found)
}

/** The level that a body asks for; null lets the logger follow the root again. */
export const readLevel = (request: Request): Level | null => {
  const type = request.headers['content-type']
  const mediaType = type === undefined ? jsonType : readMediaType(type)?.type
  if (mediaType !== jsonType && mediaType !== actuatorType)
    throw new Problem('unsupported_media_type', `Send ${actuatorType} or ${jsonType}.`)
  const body = readJson(request.body)
  const newLevel =
    typeof body === 'object' && body !== null && 'configuredLevel' in body ? body.configuredLevel : undefined
  if (newLevel === null) return null
  const level = levels.find(one => typeof newLevel === 'string' && toWord(one) === newLevel.toUpperCase())
  if (level === undefined) {
    const reason = fault('choice', { choices: [...levelWords, 'null'] })
    throw new Problem('invalid', { errors: [{ pointer: '/configuredLevel', member: 'configuredLevel', ...reason }] })
  }
  return level
}
