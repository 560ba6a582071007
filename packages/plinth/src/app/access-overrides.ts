// Access rules from settings, which replace those of the definitions. All errors are reported together.

import { accessSettings } from '../core/config/api-settings.ts'
import { ConfigError } from '../core/config/load.ts'
import type { Config } from '../core/config/settings.ts'
import type { ConfigFault } from '../core/config/sources.ts'
import { ruleNames } from '../core/model/access-rules.ts'
import type { Registry } from '../core/model/registry.ts'
import { usersIn } from '../core/model/rule-book.ts'
import { RuleFault } from '../core/model/rule-text.ts'
import { compileRule } from '../core/model/rules.ts'

/** Reads rules by `<resource>.<operation>`, without regard to case, which variables of the environment do not keep. */
export const readAccessOverrides = (config: Config, registry: Registry): ReadonlyMap<string, string> => {
  const faults: ConfigFault[] = []
  const rules = new Map<string, string>()
  for (const { parts, values, faultAt } of config.named(accessSettings)) {
    const rule = values['<operation>'] ?? ''
    const refuse = (message: string) => void faults.push(faultAt('<operation>', message))
    const resource = registry.resources.find(
      one => !one.definition.internal && one.name.toLowerCase() === parts.resource.toLowerCase(),
    )
    const operation = ruleNames.find(one => one === parts.operation.toLowerCase())
    if (!resource) refuse('there is no such resource')
    if (!operation) refuse(`unknown operation; use one of ${ruleNames.join(', ')}`)
    if (!resource || !operation) continue
    try {
      compileRule(rule, resource, { users: usersIn(registry) })
      rules.set(`${resource.name}.${operation}`, rule)
    } catch (error) {
      if (!(error instanceof RuleFault)) throw error
      refuse(error.message)
    }
  }
  if (faults.length > 0) throw new ConfigError(faults)
  return rules
}
