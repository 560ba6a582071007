// What can be wrong with the declaration of a module. The start reports all of it together.

import { mailFaults } from '../core/mail.ts'
import { type DefinitionFault, didYouMean } from '../core/model/definition-error.ts'
import type { OptionNames } from '../core/model/field-options.ts'
import type { Module } from '../core/module.ts'
import { problemTypes } from '../core/problem-types.ts'
import { endpointFaults } from '../core/rest/check-endpoints.ts'
import { webhookFaults } from '../core/webhook.ts'
import { jobFaultsOf } from './background.ts'

const optionNames: OptionNames<Module> = {
  name: true,
  title: true,
  about: true,
  resources: true,
  rules: true,
  extensions: true,
  settings: true,
  features: true,
  faults: true,
  problems: true,
  auditTypes: true,
  mails: true,
  webhooks: true,
  reservedNames: true,
  endpoints: true,
  routes: true,
  securitySchemes: true,
  sockets: true,
  reports: true,
  seeds: true,
  migrations: true,
  onRename: true,
  onPurge: true,
  web: true,
  files: true,
  health: true,
  info: true,
  greet: true,
  checkBeforeMigration: true,
  check: true,
  configure: true,
  commands: true,
  sweeps: true,
  jobs: true,
  jobsFor: true,
  create: true,
  start: true,
}

const known = Object.keys(optionNames)

export const moduleFaults = (modules: readonly Module[]): readonly DefinitionFault[] => [
  ...repeated(modules.map(({ name }) => name)).map(name => ({
    message: `several modules have the name '${name}'; rename all but one`,
  })),
  ...modules.flatMap(module =>
    messagesAbout(module).map(message => ({ module: module.name, message, definition: module })),
  ),
  ...repeated(modules.flatMap(({ seeds = [] }) => seeds.map(({ name }) => name))).map(seed => ({
    seed,
    message: 'several seeds have this name, and only the first would run; rename the others',
  })),
  ...repeated(modules.flatMap(({ reports = [] }) => reports.map(({ name }) => name))).map(name => ({
    message: `several reports have the name '${name}'; rename all but one`,
  })),
  ...repeated(modules.flatMap(({ migrations = [] }) => migrations.map(({ name }) => name))).map(name => ({
    message: `several migrations have the name '${name}', and only the first would run; rename the others`,
  })),
  ...repeated(modules.flatMap(({ commands = [] }) => commands.map(({ name }) => name))).map(name => ({
    message: `several commands have the name '${name}'; rename all but one`,
  })),
  ...repeated(modules.flatMap(({ problems = {} }) => Object.keys(problems))).map(code => ({
    message: `several modules declare the problem '${code}'; rename all but one`,
  })),
  ...mailFaults(modules),
  ...webhookFaults(modules),
  ...jobFaultsOf(modules),
  ...endpointFaults(modules.flatMap(({ endpoints = [] }) => (typeof endpoints === 'function' ? [] : endpoints))),
]

const repeated = (names: readonly string[]): readonly string[] => [
  ...new Set(names.filter((name, at) => names.indexOf(name) < at)),
]

const messagesAbout = (module: Module): string[] => [
  ...Object.keys(module)
    .filter(name => !known.includes(name))
    .map(name => `unknown option '${name}'${didYouMean(known, name) || `; the options are ${known.join(', ')}`}`),
  ...(/^[a-z][A-Za-z0-9-]*$/.test(module.name)
    ? []
    : [`the name must start with a small letter and have letters, digits and '-' only`]),
  ...(module.resources === undefined ? ["needs 'resources': a list, which may be empty"] : []),
  ...problemFaults(module),
  ...sweepFaults(module),
  ...commandFaults(module),
]

const problemFaults = ({ problems = {} }: Module): string[] =>
  Object.entries(problems).flatMap(([code, { status, title }]) => [
    ...(/^[a-z][a-z0-9_]*$/.test(code) ? [] : [`problem '${code}': codes are snake_case, such as 'no_copies'`]),
    ...(code in problemTypes ? [`problem '${code}': the platform has a problem of this name; choose another`] : []),
    ...(Number.isInteger(status) && status >= 400 && status <= 599
      ? []
      : [`problem '${code}': the status must be from 400 to 599, not ${status}`]),
    ...(title ? [] : [`problem '${code}': needs a title`]),
  ])

const sweepFaults = ({ sweeps = [] }: Module): string[] =>
  repeated(sweeps.map(({ name }) => name)).map(name => `several sweeps have the name '${name}'; rename all but one`)

const commandFaults = ({ commands = [] }: Module): string[] =>
  commands.flatMap(({ name, arguments: args = [] }) => [
    ...(/^[a-z][a-z0-9-]*( [a-z][a-z0-9-]*)*$/.test(name)
      ? []
      : [`command '${name}': names are small letters, digits and '-', in words`]),
    ...args
      .filter(({ name: argument }) => !/^(<[\w-]+>|\[[\w-]+\])$/.test(argument))
      .map(
        ({ name: argument }) =>
          `command '${name}': write the argument '${argument}' as '<${argument}>', or '[${argument}]' if it is optional`,
      ),
  ])
