// New records in groups, each of which one statement writes: none of a group refers to another one of it.

import type { Resource } from '../model/resource.ts'
import type { NewRecord } from '../model/transaction.ts'

/** Consecutive records that do not refer to each other. */
export function* independentRuns<R extends NewRecord>(
  resource: Resource,
  records: readonly R[],
): Iterable<readonly R[]> {
  const holder = resource.holder
  const toItself = [...resource.fields.values()].filter(({ target }) => target && target.holder === holder)
  let [run, pks, targets]: [R[], Set<string>, Set<unknown>] = [[], new Set(), new Set()]
  for (const record of records) {
    const own = toItself.flatMap(({ name }) => record.values[name] ?? [])
    if (targets.has(record.pk) || own.some(target => typeof target === 'string' && pks.has(target))) {
      yield run
      run = []
      pks = new Set()
      targets = new Set()
    }
    run.push(record)
    pks.add(record.pk)
    for (const target of own) targets.add(target)
  }
  if (run.length > 0) yield run
}
