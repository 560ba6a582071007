// The version of the next release, by semantic versioning: from the current version, and from the changes since.

import type { ChangeNote } from './changes.ts'

/** The form of a release, such as `2.2.0`, or a pre-release, such as `2.2.0-next.1`. */
const form = /^(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?$/

export const isVersion = (text: string): boolean => form.test(text)

/**
 * Returns the next version. After a pre-release comes the next one of the same version; which release ends them is for
 * people to say.
 */
export const nextVersion = (current: string, changes: readonly ChangeNote[]): string => {
  const [, major = '0', minor = '0', patch = '0', preRelease] = form.exec(current) ?? []
  if (preRelease !== undefined) {
    const counted = /^(.*\.)?(\d+)$/.exec(preRelease)
    const next = counted ? `${counted[1] ?? ''}${Number(counted[2]) + 1}` : `${preRelease}.1`
    return `${major}.${minor}.${patch}-${next}`
  }
  if (changes.some(({ breaking }) => breaking)) return `${Number(major) + 1}.0.0`
  if (changes.some(({ kind }) => kind !== 'fixed' && kind !== 'security')) return `${major}.${Number(minor) + 1}.0`
  return `${major}.${minor}.${Number(patch) + 1}`
}
