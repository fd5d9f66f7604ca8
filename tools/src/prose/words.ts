import { lineAt, type Problem, type TextFile } from './files.ts'

const REFUSED = /whoever|somebody|nobody|anybody/gi
const ADVICE = 'say who it is: the caller, the owner, another company, a concurrent transaction, no process …'

/** Leave to use a refused word, for a file or a folder (`vectors/`), or for the one line that contains `line`. */
export interface Exemption {
  readonly path: string
  readonly line?: string
  readonly reason: string
}

/** Pronouns that hide who acts, in code, comments, strings and documents alike. */
export function findRefusedWords(files: readonly TextFile[], exemptions: readonly Exemption[]): readonly Problem[] {
  const used = new Set<Exemption>()
  const problems = files.flatMap(({ path, text }) =>
    [...text.matchAll(REFUSED)].flatMap(({ 0: word, index }): readonly Problem[] => {
      const line = lineAt(text, index)
      const exemption = exemptions.find((known) => isExempt(known, path, text.split('\n')[line - 1] ?? ''))
      if (exemption !== undefined) used.add(exemption)
      return exemption === undefined ? [{ path, line, advice: `"${word}": ${ADVICE}` }] : []
    }),
  )
  const unused = exemptions.filter((exemption) => !used.has(exemption))
  return [...problems, ...unused.map(({ path }) => ({ path, line: 1, advice: UNUSED }))]
}

const UNUSED = 'its exemption in tools/src/prose/main.ts is no longer needed: remove it'

function isExempt({ path, line }: Exemption, file: string, text: string): boolean {
  const isInside = path.endsWith('/') ? file.startsWith(path) : file === path
  return isInside && (line === undefined || text.includes(line))
}
