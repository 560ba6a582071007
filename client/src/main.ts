// The entry page: shows that the service is alive by asking it something.

interface Continent {
  readonly pk: string
  readonly name: string
}

const isContinent = (value: unknown): value is Continent =>
  typeof value === 'object' &&
  value !== null &&
  'pk' in value &&
  typeof value.pk === 'string' &&
  'name' in value &&
  typeof value.name === 'string'

const fetchContinents = async (): Promise<readonly Continent[]> => {
  const response = await fetch('/api/rest/continents?sort=name', {
    headers: { Accept: 'application/json' },
    signal: AbortSignal.timeout(10_000),
  })
  if (!response.ok) throw new Error(`The service answered with status ${response.status}.`)
  const page: unknown = await response.json()
  const content = typeof page === 'object' && page !== null && 'content' in page ? page.content : undefined
  if (!Array.isArray(content)) throw new Error('The service answered something else than a page of records.')
  return content.filter(isContinent)
}

/** Text is set as text, never as markup: names come from records that people write. */
const element = (tag: string, text: string): HTMLElement => {
  const made = document.createElement(tag)
  made.textContent = text
  return made
}

const continentList = (continents: readonly Continent[]): HTMLElement => {
  if (continents.length === 0) return element('p', 'There are no continents yet.')
  const list = document.createElement('ul')
  list.className = 'cards'
  for (const { pk, name } of continents) {
    const link = document.createElement('a')
    link.href = `/api/rest/continents/${encodeURIComponent(pk)}/children?sort=name&_ps=100`
    link.append(element('span', name), element('small', 'countries'))
    const item = document.createElement('li')
    item.append(link)
    list.append(item)
  }
  return list
}

const failure = (error: unknown, retry: () => void): HTMLElement => {
  const box = document.createElement('div')
  box.className = 'failure'
  const reason = error instanceof DOMException && error.name === 'TimeoutError' ? 'It took too long.' : reasonOf(error)
  const again = element('button', 'Try again')
  again.setAttribute('type', 'button')
  again.addEventListener('click', retry)
  box.append(element('p', `The list could not be fetched. ${reason}`), again)
  return box
}

// A fetch that never reached the service fails with a TypeError whose text differs from browser to browser.
const reasonOf = (error: unknown): string =>
  error instanceof Error && !(error instanceof TypeError) ? error.message : 'The service cannot be reached.'

const showContinents = async (place: HTMLElement): Promise<void> => {
  place.setAttribute('aria-busy', 'true')
  try {
    place.replaceChildren(continentList(await fetchContinents()))
  } catch (error) {
    place.replaceChildren(failure(error, () => void showContinents(place)))
  } finally {
    place.setAttribute('aria-busy', 'false')
  }
}

for (const base of document.querySelectorAll('[data-base]')) base.textContent = location.origin

const place = document.getElementById('continents')
if (place) void showContinents(place)
