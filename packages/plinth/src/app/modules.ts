// The modules of this application. Nothing else names them.

import { list } from '../core/config/fields.ts'
import { type Config, defineSettings } from '../core/config/settings.ts'
import { choice } from '../core/model/fields.ts'
import type { Module } from '../core/module.ts'
import { apidoc } from '../modules/apidoc/index.ts'
import { audit } from '../modules/audit/index.ts'
import { accountListener, createAuth } from '../modules/auth/index.ts'
import { errors } from '../modules/errors/index.ts'
import { filesModule } from '../modules/files/index.ts'
import { friends } from '../modules/friends/index.ts'
import { geography } from '../modules/geography/index.ts'
import { hostsModule } from '../modules/hosts/index.ts'
import { limits } from '../modules/limits/index.ts'
import { mail } from '../modules/mail/index.ts'
import { management } from '../modules/management/index.ts'
import { membership } from '../modules/membership/index.ts'
import { createPeople } from '../modules/people/index.ts'
import { realtime } from '../modules/realtime/index.ts'
import { registerNewcomer, registration } from '../modules/registration/index.ts'
import { rental } from '../modules/rental/index.ts'

/** A module may import those above it in this list. What it needs from those below it is passed here. */
export const modules: readonly Module[] = [
  audit,
  limits,
  mail,
  geography,
  createPeople(accountListener),
  filesModule,
  createAuth(registerNewcomer),
  registration,
  hostsModule,
  management,
  apidoc,
  errors,
  friends,
  realtime,
]

/** Those that a deployment may leave out. */
const optionalModules: readonly Module[] = [rental, membership]

export const allModules: readonly Module[] = [...modules, ...optionalModules]

const optionalNames = optionalModules.map(module => module.name)

export const moduleSettings = defineSettings('app', {
  modules: list(choice(optionalNames), { default: optionalNames, about: 'Which optional modules are on.' }),
})

const configured = (module: Module, config: Config): Module => ({ ...module, ...module.configure?.(config) })

/** The modules of a deployment, as its settings make them. */
export const modulesFor = (config: Config): readonly Module[] => {
  const chosen = config.get(moduleSettings).modules
  const optional = chosen.flatMap(name => optionalModules.filter(module => module.name === name))
  return [...modules, ...optional].map(module => configured(module, config))
}

export const optionalIn = (config: Config): readonly { readonly name: string; readonly isChosen: boolean }[] => {
  const chosen = config.get(moduleSettings).modules
  return optionalNames.map(name => ({ name, isChosen: chosen.includes(name) }))
}
