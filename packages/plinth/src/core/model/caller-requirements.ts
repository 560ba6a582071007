// What a resource requires of callers beyond its rules of access.

/** Any write of this kind, or those that set one of these fields. */
export type Writes = true | readonly string[]

/** The operations on a resource that need a recent sign-in. */
interface RecentSignInWrites {
  readonly create?: Writes
  readonly update?: Writes
  readonly delete?: true
}

/** What a resource requires of callers beyond its rules of access. */
export interface CallerRequirements {
  /** Writes for which callers must have signed in recently, or have entered their password again. Code of the service is exempt. */
  readonly recentSignIn: RecentSignInWrites
}
