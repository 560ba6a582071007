// Blocks of code in Markdown pages.

export interface CodeBlock {
  readonly line: number
  readonly language: string
  readonly text: string
  /** Says that only blank lines stand between the block before and this one. */
  readonly follows: boolean
  /** The declarations that the block needs and readers do not: the content of the comment `<!-- given … -->` before it. */
  readonly given: string
}

export const codeBlocksOf = (page: string): CodeBlock[] => {
  const blocks: CodeBlock[] = []
  let end = 0
  for (const { index, 1: language = '', 2: text = '' } of page.matchAll(/^```(\w*)\n(.*?)^```$/gms)) {
    const line = page.slice(0, index).split('\n').length
    const between = page.slice(end, index)
    const [, given = ''] = /<!-- given\n(.*?)-->\s*$/s.exec(between) ?? []
    blocks.push({ line, language, text, follows: end > 0 && between.trim() === '', given })
    end = index + language.length + text.length + 7
  }
  return blocks
}
