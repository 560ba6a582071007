// `trash=only`: the deleted records.

import { fault } from '../fault.ts'
import type { Resource } from '../model/resource.ts'
import { keepsTrash } from '../model/trash.ts'
import type { Fault } from '../problem.ts'
import { badParameter, type Parameters, readParameters, refuse, single } from '../query/parameters.ts'

const choices = ['only'] as const

/** Most requests have no such parameter, and are not read twice. */
const mayAskForTrash = (search: string): boolean => search.includes('trash')

/** Are the deleted records asked for, and not the present ones? */
export const asksForTrash = (resource: Resource, parameters: Parameters): boolean => {
  const faults: Fault[] = []
  const value = single(parameters, 'trash', faults)
  if (value === undefined && faults.length === 0) return false
  if (!keepsTrash(resource)) refuse([{ parameter: 'trash', ...fault('no_trash', { resource: resource.name }) }])
  if (value !== 'only') faults.push(badParameter('trash', value ?? '', fault('choice', { choices })))
  if (parameters.has('asOf'))
    faults.push({ parameter: 'trash', ...fault('contradiction', { first: 'trash', second: 'asOf' }) })
  if (faults.length > 0) refuse(faults)
  return true
}

/** The same for the query of a request. */
export const requestsTrash = (resource: Resource, search: string): boolean =>
  mayAskForTrash(search) && asksForTrash(resource, readParameters(search))
