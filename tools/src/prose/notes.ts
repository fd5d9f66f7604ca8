import { lineAt, type Problem, type TextFile } from './files.ts'

interface Mention {
  readonly name: string
  readonly path: string
  readonly line: number
  readonly isDefinition: boolean
}

const NOTE = /\[Note:\s+([\p{L}\p{N}][^\]]{0,99})\]/gu
const LINE_BREAK = /\s*\n\s*(?:\*|\/\/|#|--|>)?\s*/g
/** A note opens a comment, an item or a sentence … */
const BEFORE_DEFINITION = /(?:^|\n)[ \t]*(?:\/\*\*?|\*|\/\/|#|--|-|>)?[ \t]*$|[.!?] $/
/** … and its own first sentence follows in the same line. */
const AFTER_DEFINITION = /^ [\p{Lu}\p{N}`'"“([]/u

/** A note is defined once, `[Note: …] First sentence`, and cited by its name in at least one other place. */
export function findNoteProblems(files: readonly TextFile[]): readonly Problem[] {
  const mentions = files.flatMap(mentionsIn)
  const definitions = mentions.filter(({ isDefinition }) => isDefinition)
  const citations = mentions.filter(({ isDefinition }) => !isDefinition)
  return mentions.flatMap((mention) => {
    const { name, path, line, isDefinition } = mention
    const first = definitions.find((other) => other.name === name)
    const problem = (what: string): readonly Problem[] => [{ path, line, advice: `[Note: ${name}] ${what}` }]
    if (first === undefined) return problem('is cited but not defined: define it once, or remove the citation')
    if (!isDefinition) return []
    if (first !== mention) return problem(`is already defined at ${first.path}:${first.line}: cite that one`)
    if (citations.some((other) => other.name === name)) return []
    return problem('is never cited: make it a plain comment, or cite it where it is needed')
  })
}

function mentionsIn({ path, text }: TextFile): readonly Mention[] {
  return [...text.matchAll(NOTE)].map(({ 0: whole, 1: name = '', index }) => ({
    name: name.replaceAll(LINE_BREAK, ' '),
    path,
    line: lineAt(text, index),
    isDefinition:
      BEFORE_DEFINITION.test(text.slice(Math.max(0, index - 99), index)) &&
      AFTER_DEFINITION.test(text.slice(index + whole.length)),
  }))
}
