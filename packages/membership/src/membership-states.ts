// The life of a membership: which act leads from which state to which.

export const statuses = ['PENDING', 'ACTIVE', 'SUSPENDED', 'DECLINED', 'REVOKED'] as const
export type Status = (typeof statuses)[number]

/** What an operator does with a membership. */
export const rulings = {
  activate: { from: ['PENDING', 'SUSPENDED'], to: 'ACTIVE' },
  suspend: { from: ['ACTIVE'], to: 'SUSPENDED' },
  decline: { from: ['PENDING'], to: 'DECLINED' },
  revoke: { from: ['ACTIVE', 'SUSPENDED'], to: 'REVOKED' },
} as const satisfies Record<string, { from: readonly Status[]; to: Status }>

export type Ruling = keyof typeof rulings

/** Whatever changes a membership. */
export type Act = 'request' | 'amend' | Ruling

export const admits = (ruling: Ruling, status: Status): boolean => rulings[ruling].from.some(from => from === status)

/** States in which the other members of a network have to do with a membership; the others are a matter between two. */
export const concernsOthers = (status: Status): boolean => status !== 'PENDING' && status !== 'DECLINED'
