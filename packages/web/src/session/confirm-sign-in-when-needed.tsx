import { lazy, Suspense, useSyncExternalStore } from 'react'
import { isSignInAsked, watchSignIn } from './confirm-sign-in.ts'

const ConfirmSignInDialog = lazy(() => import('./confirm-sign-in-dialog.tsx'))

/** The dialog of acts that need a recent sign-in, while one waits for it. */
export const ConfirmSignInWhenNeeded = () =>
  useSyncExternalStore(watchSignIn, isSignInAsked) ? (
    <Suspense>
      <ConfirmSignInDialog />
    </Suspense>
  ) : null
