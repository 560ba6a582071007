// How far a page or a list was scrolled, kept for each entry of the browser's history: Back leads to the same place, also
// after a reload.

const storageKey = 'plinth.places'
const most = 100

export interface ScrollPosition {
  /** The position in pixels. */
  readonly top: number
  /** The number of rows of a list that is not counted yet. */
  readonly count?: number
}

/** The key of the entry with which a tab or a typed address begins. */
const firstEntry = 'default'

const readStored = (): Map<string, ScrollPosition> => {
  const places = new Map<string, ScrollPosition>(JSON.parse(sessionStorage.getItem(storageKey) ?? '[]'))
  const [visit] = performance.getEntriesByType('navigation')
  // A typed address begins at the top, and shares its key with the last one that was typed in this tab.
  if (visit instanceof PerformanceNavigationTiming && visit.type === 'navigate')
    for (const name of places.keys()) if (name.startsWith(`${firstEntry} `)) places.delete(name)
  return places
}

const places = readStored()

window.addEventListener('pagehide', () => sessionStorage.setItem(storageKey, JSON.stringify([...places])))

/** `name` begins with the key of the history entry. */
export const keepPlace = (name: string, place: ScrollPosition): void => {
  places.delete(name)
  places.set(name, place)
  const [oldest] = places.keys()
  if (places.size > most && oldest !== undefined) places.delete(oldest)
}

export const placeAt = (name: string): ScrollPosition | null => places.get(name) ?? null

/** Scroll positions show which pages a user has visited. The next user of this tab must not find them. */
export const forgetPlaces = (): void => {
  places.clear()
  sessionStorage.removeItem(storageKey)
}
