// Secret texts, struck out wherever they appear: in lines of the log, in answers of the management endpoints, in dumps.

export const struck = '******'

/** What is shorter is not treated as a secret: striking it out would make a text unreadable. */
const shortest = 4

/** A secret as it may stand in a text: as it is, inside JSON, inside an address, in HTTP Basic credentials. */
const spellings = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
]

/** Every spelling, longest first, so that none is left behind as the rest of another. */
export const spellingsOf = (secrets: readonly string[]): readonly string[] =>
  [...new Set(secrets.filter(secret => secret.length >= shortest).flatMap(spellings))].sort(
    (left, right) => right.length - left.length,
  )

export type Scrub = (text: string) => string

export const createScrub = (secrets: readonly string[]): Scrub => {
  const known = spellingsOf(secrets)
  return text => {
    let clean = text
    for (const secret of known) if (clean.includes(secret)) clean = clean.replaceAll(secret, struck)
    return clean
  }
}
