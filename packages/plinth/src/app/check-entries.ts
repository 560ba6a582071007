// Entries of lists and fields that are undefined: so is an import of something that its file does not export, and what files in a circle of
// imports get from one another. They are reported before anything reads them.

import type { ResourceDefinition } from '../core/model/define.ts'
import type { DefinitionFault } from '../core/model/definition-error.ts'
import type { Module } from '../core/module.ts'

const remedy = 'check its name and the file that it is imported from'

/** Returns the faults of `modules` of an application. */
export const moduleListFaults = (modules: unknown = []): readonly DefinitionFault[] => {
  if (!Array.isArray(modules)) return [{ message: `\`modules\` is ${wordsFor(modules)} and no list` }]
  return modules.flatMap((module, at) =>
    isNamed(module)
      ? entryFaults(module)
      : [{ message: `entry ${at + 1} of \`modules\` is ${wordsFor(module)} and no module; ${remedy}` }],
  )
}

const isNamed = (one: unknown): one is Module =>
  typeof one === 'object' && one !== null && 'name' in one && typeof one.name === 'string'

/** Returns the faults of the lists of a module, and of the fields of its resources. */
const entryFaults = (module: Module): readonly DefinitionFault[] => {
  const faults = Object.entries(module).flatMap(([option, list]) =>
    (Array.isArray(list) ? list : []).flatMap((entry, at) =>
      isAbsent(entry) ? [{ message: `entry ${at + 1} of \`${option}\` is ${wordsFor(entry)}; ${remedy}` }] : [],
    ),
  )
  const resources: readonly ResourceDefinition[] = [module.resources ?? [], module.extensions ?? []].flat()
  return [
    ...faults.map(fault => ({ ...fault, module: module.name, definition: module })),
    ...resources.filter(one => !isAbsent(one)).flatMap(fieldFaults),
  ]
}

const fieldFaults = (definition: ResourceDefinition): readonly DefinitionFault[] =>
  Object.entries(definition.fields ?? {}).flatMap(([field, declared]) => {
    if (typeof declared === 'object' && declared !== null) return []
    const hint = typeof declared === 'function' ? 'call it, such as text()' : remedy
    return [{ resource: definition.name, field, message: `is ${wordsFor(declared)} and no field; ${hint}`, definition }]
  })

const isAbsent = (entry: unknown): boolean => entry === undefined || entry === null

const wordsFor = (value: unknown): string => {
  if (isAbsent(value)) return String(value)
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
