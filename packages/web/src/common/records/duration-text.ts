// Durations in words, such as 2 h 26 min, and back to ISO 8601. The symbols are the same in every language.

const iso = /^(-)?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d+)?)S)?)?$/

const secondsIn = (text: string): number | null => {
  const found = iso.exec(text)
  if (!found) return null
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = found
    .slice(2)
    .map(part => Number((part ?? '0').replace(',', '.')))
  const all = (((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds
  return found[1] ? -all : all
}

const rounded = (seconds: number): number => Math.round(seconds * 1000) / 1000

const split = (seconds: number) => ({
  hours: Math.floor(seconds / 3600),
  minutes: Math.floor((seconds % 3600) / 60),
  seconds: rounded(seconds % 60),
})

/** `PT2H26M` → `2 h 26 min`. What is no duration stays as it is. */
export const durationText = (text: string): string => {
  const all = secondsIn(text)
  if (all === null) return text
  const { hours, minutes, seconds } = split(Math.abs(all))
  const parts = [hours > 0 && `${hours} h`, minutes > 0 && `${minutes} min`, seconds > 0 && `${seconds} s`]
  return `${all < 0 ? '−' : ''}${parts.filter(Boolean).join(' ') || '0 min'}`
}

const toIso = (all: number): string => {
  const { hours, minutes, seconds } = split(Math.abs(all))
  const parts = [hours > 0 && `${hours}H`, minutes > 0 && `${minutes}M`, seconds > 0 && `${seconds}S`]
  return `${all < 0 ? '-' : ''}PT${parts.filter(Boolean).join('') || '0S'}`
}

const amount = '(\\d+(?:[.,]\\d+)?)'
const inWords = new RegExp(
  `^(?:${amount}\\s*(?:d|days?|tage?)\\.?)?\\s*(?:${amount}\\s*(?:h|hrs?|hours?|std|stunden?)\\.?)?\\s*` +
    `(?:${amount}\\s*(?:m|min|mins|minutes?|minuten?)\\.?)?\\s*(?:${amount}\\s*(?:s|sec|secs|seconds?|sek|sekunden?)\\.?)?$`,
)

/** `2 h 26 min`, `2:26`, `1.5 h` or `PT2H26M` → ISO 8601. Null for anything else. */
export const readDurationText = (text: string): string | null => {
  const [sign, plain] = /^[-−]/.test(text.trim()) ? ['-', text.trim().slice(1)] : ['', text.trim()]
  const isoSeconds = secondsIn(plain.toUpperCase())
  if (isoSeconds !== null) return toIso(sign === '-' ? -isoSeconds : isoSeconds)
  const clock = /^(\d+):([0-5]\d)(?::([0-5]\d))?$/.exec(plain)
  const words = plain === '' ? null : inWords.exec(plain.toLowerCase())
  const parts = clock ? ['0', ...clock.slice(1)] : words?.slice(1)
  if (!parts) return null
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map(part => Number((part ?? '0').replace(',', '.')))
  const all = rounded(((days * 24 + hours) * 60 + minutes) * 60 + seconds)
  return toIso(sign === '-' ? -all : all)
}
