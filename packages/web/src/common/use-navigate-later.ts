// The way on after an answer of the service.

import { useCallback, useEffect, useRef } from 'react'
import { type NavigateOptions, type To, useNavigate } from 'react-router'

/**
 * Leads on from the page that asked for something. Those who have left it before the answer came stay where they are.
 */
export const useNavigateLater = (): ((to: To, options?: NavigateOptions) => void) => {
  const navigate = useNavigate()
  const isHere = useRef(false)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  return useCallback(
    (to, options) => {
      if (isHere.current) void navigate(to, options)
    },
    [navigate],
  )
}
