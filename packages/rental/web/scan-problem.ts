// Why a code led to nothing, in the words of the counter.

import { ApiProblem, isProblem } from '@plinth/client'
import { useProblemText, useTexts } from '@plinth/web'
import { counterTexts } from './dictionary.ts'

export const useScanProblem = (): ((error: unknown, code?: string) => string) => {
  const t = useTexts(counterTexts)
  const text = useProblemText()
  return (error, code = '') => {
    if (isProblem(error, 'not_found')) return code ? t('unknownCode', { code }) : t('unknownCopy')
    if (code && error instanceof ApiProblem && error.status === 400) return t('misread', { code })
    return text(error)
  }
}
