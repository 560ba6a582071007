// The states of a friendship as its owner sees them, and what each side may do.

export const statuses = ['SENT', 'PENDING', 'CONFIRMED', 'BLOCK', 'BLOCK_INVERSE'] as const
export type Status = (typeof statuses)[number]

/** What an owner may ask for; DELETE ends it, for both sides. */
export type Wish = Status | 'DELETE'

/** By the present state; `NONE` when there is no friendship. What is not listed is illegal. */
const legal: Readonly<Record<Status | 'NONE', readonly Wish[]>> = {
  NONE: ['SENT', 'BLOCK'],
  SENT: ['DELETE'],
  PENDING: ['CONFIRMED', 'DELETE', 'BLOCK'],
  CONFIRMED: ['DELETE', 'BLOCK'],
  BLOCK: ['DELETE'],
  BLOCK_INVERSE: [],
}

export const isLegal = (from: Status | 'NONE', to: Wish): boolean => legal[from].includes(to)

const inverses: Readonly<Record<Status, Status>> = {
  SENT: 'PENDING',
  PENDING: 'SENT',
  CONFIRMED: 'CONFIRMED',
  BLOCK: 'BLOCK_INVERSE',
  BLOCK_INVERSE: 'BLOCK',
}

/** How the same friendship looks from the other side. */
export const inverseOf = (status: Status): Status => inverses[status]
