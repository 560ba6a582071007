// Rules given by configuration in place of those in the model. A bad one stops the start, and all of them are named.

import { type Config, ConfigError } from '../../config.ts'
import type { Registry } from './registry.ts'
import { ruleNames } from './rule-book.ts'
import { compileRule, RuleFault } from './rules.ts'

type Faults = ConstructorParameters<typeof ConfigError>[0][number][]

/** By `<resource>.<operation>`. Variables of the environment do not tell the case of names, so it does not count. */
export const readAccessOverrides = (config: Config, registry: Registry): ReadonlyMap<string, string> => {
  const faults: Faults = []
  const rules = new Map<string, string>()
  for (const { name, where, parts, value } of config.named('app.access.<resource>.<operation>')) {
    const resource = registry.resources.find(
      one => !one.definition.internal && one.name.toLowerCase() === parts.resource.toLowerCase(),
    )
    const operation = ruleNames.find(one => one === parts.operation.toLowerCase())
    if (!resource) faults.push({ name, where, message: 'there is no such resource' })
    if (!operation) faults.push({ name, where, message: `there is no such operation, only ${ruleNames.join(', ')}` })
    if (!resource || !operation) continue
    try {
      compileRule(value, resource)
      rules.set(`${resource.name}.${operation}`, value)
    } catch (error) {
      if (!(error instanceof RuleFault)) throw error
      faults.push({ name, where, message: error.message })
    }
  }
  if (faults.length > 0) throw new ConfigError(faults)
  return rules
}
