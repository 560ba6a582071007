// The requirements of OWASP ASVS 5.0.0, levels 1 and 2: where this service stands, and the test or the page that shows it. The words are
// our own; the standard has the full text of each number.

import { readFileSync } from 'node:fs'

const states = { met: 'met', none: 'not applicable', open: '**open**' } as const

type State = keyof typeof states

export interface AsvsRequirement {
  readonly number: string
  readonly level: 1 | 2
  readonly state: State
  readonly title: string
  readonly how: string
  /** A test, by its file below the root of the repository and its name, or a page. Is null where there is nothing to show. */
  readonly evidence: { readonly file: string; readonly test: string | null } | null
}

const file = new URL('asvs/requirements.txt', import.meta.url)

const isState = (text: string): text is State => Object.hasOwn(states, text)

const readRequirement = (line: string): AsvsRequirement => {
  const [number = '', level = '', state = '', title = '', how = '', shown = ''] = line
    .split('|')
    .map(part => part.trim())
  if (!isState(state)) throw new Error(`the requirement ${number} has the unknown state '${state}'`)
  return {
    number,
    level: level === '1' ? 1 : 2,
    state,
    title,
    how,
    evidence: shown === '' ? null : readEvidence(shown),
  }
}

const readEvidence = (text: string): AsvsRequirement['evidence'] => {
  const [place = '', test] = text.split(' # ')
  if (/\.(md|ts)$/.test(place)) return { file: place, test: test ?? null }
  return { file: `packages/plinth/test/${place}.test.ts`, test: test ?? null }
}

/** The chapters in order, each with its requirements. */
export const chapters = (): readonly { readonly title: string; readonly requirements: readonly AsvsRequirement[] }[] =>
  readFileSync(file, 'utf8')
    .split(/^## /m)
    .slice(1)
    .map(part => {
      const [title = '', ...lines] = part.trim().split('\n')
      return { title, requirements: lines.map(readRequirement) }
    })

const shownAs = ({ evidence }: AsvsRequirement): string => {
  if (evidence === null) return ''
  if (evidence.test !== null) return `${evidence.test} (\`${evidence.file}\`)`
  const page = evidence.file.replace('docs/', '')
  return evidence.file.startsWith('docs/') ? `[${page}](${page})` : `\`${evidence.file}\``
}

export const asvsRows = (): readonly (readonly string[])[] =>
  chapters().flatMap(({ requirements }) =>
    requirements.map(one => [one.number, `${one.level}`, states[one.state], one.title, one.how, shownAs(one)]),
  )

/** How many requirements of each chapter are met, not applicable and open. */
export const asvsCounts = (): readonly (readonly string[])[] =>
  [...chapters(), { title: 'all', requirements: chapters().flatMap(({ requirements }) => requirements) }].map(
    ({ title, requirements }) => {
      const count = (state: State) => `${requirements.filter(one => one.state === state).length}`
      return [title, count('met'), count('none'), count('open')]
    },
  )
