// The password that proves once more who asks.

import { ApiProblem } from '@plinth/client'
import { useTexts } from '@plinth/web'
import { accountTexts } from './dictionary.ts'

export const useCurrentPassword = <N extends string>(name: N) => {
  const t = useTexts(accountTexts)
  return {
    name,
    label: t('currentPassword'),
    type: 'password',
    autoComplete: 'current-password',
    required: true,
  } as const
}

export const isRefused = (error: unknown): boolean => error instanceof ApiProblem && error.status === 401
