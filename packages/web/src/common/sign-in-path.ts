/** The sign-in page, which leads back to the target afterwards. */
export const signInPath = (target: string): string =>
  target === '/' ? '/sign-in' : `/sign-in?to=${encodeURIComponent(target)}`
