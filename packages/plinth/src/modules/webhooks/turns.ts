// Round-robin: each user with due deliveries has a turn before any has a second one, and so have the webhooks of a user. What is due
// is in the database, so a round is who is left out of the next query.

/** The most webhooks in a round, because the fields of a round are part of each query. Longer rounds start again. */
const maxInRound = 500

interface Turn {
  readonly webhook: string
  readonly user: string
}

export class Turns {
  /** The users who had their turn in this round. */
  readonly users = new Set<string>()
  readonly webhooks = new Set<string>()

  take({ webhook, user }: Turn): void {
    for (const [round, pk] of [
      [this.users, user],
      [this.webhooks, webhook],
    ] as const) {
      if (round.size >= maxInRound) round.clear()
      round.add(pk)
    }
  }

  /** Starts the next round, of users first, when none is left. Returns false when there is no round to end. */
  next(): boolean {
    const round = this.users.size > 0 ? this.users : this.webhooks
    const hadTurns = round.size > 0
    round.clear()
    return hadTurns
  }
}
