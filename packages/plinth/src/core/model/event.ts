// Changes of records as events, in one order.

export type ChangeType = 'created' | 'updated' | 'deleted'

/** Values of a record's fields in stored form, to-one fields as pks: what rules on the record ask for. */
export type Image = Readonly<Record<string, unknown>>

export interface ChangeEvent {
  /** Counts up by one, without a gap, in the order in which events are delivered. */
  readonly sequence: number
  /** The time when the change took its place in the order, by the database's clock. */
  readonly time: string
  readonly type: ChangeType
  /** The resource that holds the record; its parts (`storedIn`) differ in `seen`. */
  readonly resource: string
  readonly pk: string
  /** The announced fields after the change; at a deletion as they were last. Null when none are announced. */
  readonly seen: Image | null
  /** The same before an update that changed any of them, else null. */
  readonly was: Image | null
}

/** Sequences that can still be read: from `oldest` to `latest`; `oldest` is `latest` + 1 when there are none. */
interface EventWindow {
  readonly oldest: number
  readonly latest: number
}

export interface EventSelection {
  /** The sequence after which events are read. */
  readonly after: number
  /** … up to and with this one. */
  readonly upTo: number
  readonly limit: number
  readonly resource?: string
  readonly pk?: string
}

export interface EventRetention {
  readonly hours: number
  readonly rows: number
}

/** The durable log of changes. The store writes to it in the transaction of each change. */
export interface EventLog {
  /** Gives what was committed its place in the order; until then it cannot be read. */
  arrange(): Promise<void>
  read(selection: EventSelection): Promise<readonly ChangeEvent[]>
  window(): Promise<EventWindow>
  /** Takes away a bounded number of events that need not be kept; answers how many. */
  prune(retention: EventRetention): Promise<number>
  /** Calls back after each commit of events here, and when another instance notifies of some. Returns how to stop. */
  watch(wake: () => void): Promise<() => Promise<void>>
}
