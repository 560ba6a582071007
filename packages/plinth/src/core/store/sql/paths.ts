// Ways through relations, as data: where they cross relations to many, and which of them lead back.

import type { Path, Step } from '../../model/query.ts'
import { isToMany } from './columns.ts'

/** The steps up to the first relation to many; null where there is none. */
export const wayAcross = ({ steps }: Pick<Path, 'steps'>): readonly Step[] | null => {
  const many = steps.findIndex(step => isToMany(step.relation))
  return many < 0 ? null : steps.slice(0, many + 1)
}

export const isSameWay = (left: readonly Step[], right: readonly Step[]): boolean =>
  left.length === right.length && left.every((step, at) => isSameStep(step, right[at]))

const isSameStep = (left: Step, right: Step | undefined): boolean =>
  left.relation === right?.relation && left.linkFilter === right.linkFilter

/**
 * Does the step at this place lead to records that refer here, and the next one back by that reference? Then it arrives at the
 * record that it began with, which the caller sees if the way back asks nothing that the way there has not asked.
 */
export const leadsBack = (steps: readonly Step[], at: number): boolean => {
  const [before, there, back] = [steps[at - 1], steps[at], steps[at + 1]]
  if (!there || !back || there.relation.inverseOf !== back.relation || back.relation.definition.role !== 'one')
    return false
  return back.target === there.relation.owner && (back.linkFilter === null || back.linkFilter === before?.linkFilter)
}

/** `children.parent.children.name` is `children.name`: a record that has such a child has a child. */
export const withoutDetours = <P extends Pick<Path, 'steps'>>(path: P): P => {
  const { steps } = path
  const at = steps.findIndex((step, place) => leadsBack(steps, place) && isSameStep(step, steps[place + 2]))
  return at < 0 ? path : withoutDetours({ ...path, steps: steps.toSpliced(at, 2) })
}
