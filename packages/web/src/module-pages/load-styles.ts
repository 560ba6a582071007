// The styles of the pages of modules.

const known = new Map<string, Promise<void>>()

const loadStyle = (address: string): Promise<void> =>
  new Promise(resolve => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = address
    // Without its styles, a page is plain, but it works.
    link.onload = () => resolve()
    link.onerror = () => resolve()
    document.head.append(link)
  })

/** Resolves when they are there; each is loaded once. Those of a version before stay: pages may still be shown that need them. */
export const loadStyles = async (addresses: readonly string[]): Promise<void> => {
  for (const address of addresses) if (!known.has(address)) known.set(address, loadStyle(address))
  await Promise.all(addresses.map(address => known.get(address)))
}
