// The processor time of everything that this process has started: on a busy machine it says more than the clock.

import { readdirSync, readFileSync } from 'node:fs'

/** proc(5): fields of /proc/<pid>/stat, counted behind the name in parentheses. */
const parentField = 1
const timeFields = [11, 12] as const
const ticksPerSecond = 100

/** Returns the processor time of the children in milliseconds. */
export const cpuOfChildren = (): number => {
  const processes = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(statOf)
  const family = new Set([process.pid])
  // A child has a larger number than its parent, but for the rare wrap: two rounds are enough.
  for (let round = 0; round < 2; round++)
    for (const { pid, parent } of processes) if (family.has(parent)) family.add(pid)
  family.delete(process.pid)
  return processes.reduce((sum, { pid, time }) => (family.has(pid) ? sum + time : sum), 0)
}

/** Returns the processor time of one process in milliseconds. */
export const cpuOf = (pid: number): number => statOf(String(pid))[0]?.time ?? Number.NaN

/** Returns null when there is no such process. */
export const parentOf = (pid: number | string): number | null => statOf(String(pid))[0]?.parent ?? null

const statOf = (name: string): { pid: number; parent: number; time: number }[] => {
  try {
    const text = readFileSync(`/proc/${name}/stat`, 'utf8')
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const ticks = timeFields.reduce((sum, at) => sum + (fields[at] ?? 0), 0)
    return [{ pid: Number(name), parent: fields[parentField] ?? 0, time: (ticks * 1000) / ticksPerSecond }]
  } catch {
    // It has ended since.
    return []
  }
}
