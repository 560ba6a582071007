// What the doctor of the service finds, the worst first.

import { get, hasRole, useIsOn, useUser } from '@plinth/web'
import { useQuery } from '@tanstack/react-query'

export interface DoctorFinding {
  readonly check: string
  readonly level: 'ok' | 'warning' | 'error'
  readonly explanation: string
  readonly remedy: string | null
}

const order = { error: 0, warning: 1, ok: 2 } as const

export const useExamination = () => {
  // Site operators see some pages of the management, and not this one.
  const isAdmin = hasRole(useUser())
  const enabled = useIsOn()('doctor') === true && isAdmin
  return useQuery({
    enabled,
    staleTime: 60_000,
    queryKey: ['management', 'doctor'],
    queryFn: async ({ signal }) => {
      const { findings } = await get<{ readonly findings: readonly DoctorFinding[] }>('/api/management/doctor', {
        signal,
      })
      return findings.toSorted((one, other) => order[one.level] - order[other.level])
    },
  })
}

/** The findings that ask for something to be done. */
export const useAttention = () => {
  const findings = useExamination().data ?? []
  const count = (level: DoctorFinding['level']) => findings.filter(one => one.level === level).length
  return { errors: count('error'), warnings: count('warning') }
}
