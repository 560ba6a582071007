// A lease: one instance at a time has a piece of work, for as long as it renews the lease. The lease of an instance that has crashed
// runs out, or ends as soon as the database sees that the instance does not run any more.

/** What a row says of the instance that has it. */
export interface Lease {
  /** Is null where no instance has it, or where it is not known which. */
  readonly instance: string | null
  readonly heldUntil: string | null
}

/** The instances of a service on one database, and the name of this one. */
export interface Instances {
  readonly instance: string
  isRunning(instance: string): Promise<boolean>
}

export interface LeaseTerm {
  readonly now: Date
  /** How long a lease lasts without renewal, in milliseconds. */
  readonly ms: number
}

/** Makes a lease of this instance. */
export const newLease = ({ instance }: Pick<Instances, 'instance'>, { now, ms }: LeaseTerm) => ({
  instance,
  heldUntil: new Date(now.getTime() + ms).toISOString(),
})

/** Says whether a lease is current. One that lasts longer than leases do is not: it is of a clock that was ahead. */
export const isCurrent = ({ heldUntil }: Pick<Lease, 'heldUntil'>, { now, ms }: LeaseTerm): boolean => {
  if (heldUntil === null) return false
  const leftMs = Date.parse(heldUntil) - now.getTime()
  return leftMs > 0 && leftMs <= 2 * ms
}

export const isHeld = async (instances: Instances, lease: Lease, term: LeaseTerm): Promise<boolean> =>
  isCurrent(lease, term) && (lease.instance === null || (await instances.isRunning(lease.instance)))
