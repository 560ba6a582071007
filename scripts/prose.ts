// `npm run prose`: finds phrases that read like a translation in pages, comments and the texts of the product, and doc comments without
// a subject. Part of `npm run check`.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = new URL('../', import.meta.url)

/** Each phrase with what to write instead. */
const phrases: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/\b(?:is|are|was|were|be|been|being) told\b/i, 'is notified, is sent, is reported'],
  [/\b(?:whoever|whomever|nobody|somebody|anybody)\b/i, 'the caller, a user, no one'],
  [/\banew\b/i, 'again'],
  [/\bmeanwhile\b/i, 'in the meantime, since then'],
  [/\b(?:sow|sown|sows|sowing)\b/i, 'seed'],
  [/\bas it stands\b/i, 'as it is'],
  [/\bto be had\b/i, 'available'],
  [/\bof one's own\b/i, 'your own'],
  [/\bown ones?\b/i, 'your own'],
  [/\bnow and then\b/i, 'regularly'],
  [/\bdo(?:es)? well to\b/i, 'should'],
  [
    /\bis no (?:address|amount|name|number|picture|JSON|relation|operator|field|setting|secret|member|value)\b/i,
    'is not a',
  ],
  [/\bare no (?:addresses|settings|administrators|names|numbers)\b/i, 'are not'],
  [/\bnot yours to\b/i, 'you have no permission to'],
  [/\bin the sight of\b/i, 'visible to'],
  [/\bby itself alone\b/i, 'alone'],
  [/\bminds? (?:case|capital)/i, 'is case-sensitive'],
  [/\bcapital (?:and|or) small letters\b/i, 'upper and lower case'],
  [/\bstands? still\b/i, 'stops'],
  [/\bis not good\b/i, 'is invalid'],
  [/\b(?:is|are) at fault\b/i, 'is invalid'],
  [/\blook into your\b/i, 'check your'],
]

export interface ProseFinding {
  readonly file: string
  readonly line: number
  readonly found: string
  readonly instead: string
}

const lineOf = (text: string, index: number): number => text.slice(0, index).split('\n').length

const findingsAt = (file: string, text: string, line: number): ProseFinding[] =>
  phrases.flatMap(([phrase, instead]) =>
    [...text.matchAll(new RegExp(phrase, 'gi'))].map(({ 0: found, index }) => ({
      file,
      line: line + lineOf(text, index) - 1,
      found,
      instead,
    })),
  )

const comment = /\/\*\*?\s[\s\S]*?\*\/|(?:^|\s)\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*/g

/** A phrase may go on in the next line of a comment. */
const joined = (text: string): string => text.replaceAll(/\n[ \t]*(?:\/\/|\*)?[ \t]*/g, ' ')

const findingsInComments = (file: string, text: string): ProseFinding[] =>
  [...text.matchAll(comment)].flatMap(({ index, 0: found }) =>
    findingsAt(file, joined(found.trim()), lineOf(text, index + 1)),
  )

const docComment = /\/\*\*\s([\s\S]*?)\*\//g

/** The words with which a fragment begins. A sentence may begin with them too, but then a comma follows. */
const fragment = new RegExp(
  `^(?:${[
    'About|Absent|Among|Answered|As|Asked|At|Before|Behind|Below|Between|Beyond|By|Called|False|Fewer|For|From|Given|In|Into|Kept',
    'Loaded|Longer|Made|Not|Null|Of|On|Once|Outside|Sent|Shown|So|Struck|Such|That|Those|Through|To|True|Undefined|Under|Until',
    'When|Where|While|Who|Whose|With|Within|Without|Written',
  ].join('|')})\\b[^,:]*?(?:[.;!?](?:\\s|$)|$)`,
)

/** An editor shows a doc comment alone, so it needs a subject or a verb. */
const fragmentsIn = (file: string, text: string): ProseFinding[] =>
  [...text.matchAll(docComment)].flatMap(({ index, 1: body = '' }) => {
    const found = fragment
      .exec(
        joined(body)
          .replace(/^ ?\*? /, '')
          .trim(),
      )?.[0]
      .trim()
    const instead = 'begin with a noun or a verb: "The size of …", "Returns …", "Says whether …"'
    return found === undefined ? [] : [{ file, line: lineOf(text, index), found, instead }]
  })

const isText = (node: ts.Node): boolean =>
  ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node)

/** Finds phrases in texts of more than one word: the others are not for readers. */
const findingsInTexts = (file: string, text: string): ProseFinding[] => {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found: ProseFinding[] = []
  const visit = (node: ts.Node): void => {
    if (isText(node) && / /.test(node.getText(tree))) {
      const { line } = tree.getLineAndCharacterOfPosition(node.getStart(tree))
      found.push(...findingsAt(file, node.getText(tree), line + 1))
    } else ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

/** Blanks the code of a page: names in it are what they are. */
const withoutCode = (text: string): string => text.replaceAll(/`[^`\n]*`/g, code => ' '.repeat(code.length))

const isTest = (file: string): boolean => /(^|\/)test\/|\.(test|fixture)\.tsx?$/.test(file)

/** What a file says to readers: all of a page; comments and texts of code. Texts in tests are mostly data. */
export const findingsIn = (file: string, text: string): ProseFinding[] => {
  if (!/\.tsx?$/.test(file)) return findingsAt(file, withoutCode(text), 1)
  const fragments = fragmentsIn(file, text)
  // Most files have none of the words at all.
  if (!phrases.some(([phrase]) => phrase.test(joined(text)))) return fragments
  return [...fragments, ...findingsInComments(file, text), ...(isTest(file) ? [] : findingsInTexts(file, text))]
}

const files = (): string[] =>
  execFileSync('git', ['ls-files', '-z', '--', '*.md', '*.ts', '*.tsx'], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter(file => file !== '' && !/^scripts\/prose\.ts$|\/prose\.test\.ts$/.test(file))

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = files().flatMap(file => findingsIn(file, readFileSync(new URL(file, root), 'utf8')))
  for (const { file, line, found: phrase, instead } of found) console.error(`${file}:${line}: “${phrase}”: ${instead}`)
  process.exitCode = found.length > 0 ? 1 : 0
}
