import { join } from 'node:path'
import { type Problem, readTextFiles } from './files.ts'
import { findNoteProblems } from './notes.ts'
import { findRefusedWords, type Exemption } from './words.ts'

/** While this is false the problems are counted (and listed with `--list`), but they do not fail the check. */
const IS_ENFORCED: boolean = true

/** The refused words and the forms of a note stand in these files as examples. */
const OWN_FOLDER = 'tools/src/prose/'

const EXEMPTIONS: readonly Exemption[] = [
  { path: 'docs/requirements.tsv', line: 'Bindings that name nobody besides', reason: 'words of the specification' },
  { path: 'apps/person/src/words/', reason: 'sentences for persons, who say “nobody”' },
  { path: 'client/session/src/words/', reason: 'sentences for persons, who say “nobody”' },
  { path: 'client/ui/src/words/ui/', reason: 'sentences for persons, who say “nobody”' },
  { path: 'vectors/', reason: 'test vectors are data that other implementations use unchanged' },
]

/** `npm run prose [-- --list] [-- FOLDER …]`: words and notes in code, comments, strings and documents. */
function main(args: readonly string[]): void {
  const folders = args.filter((arg) => !arg.startsWith('--'))
  const isListed = IS_ENFORCED || args.includes('--list') || folders.length > 0
  const files = readTextFiles(join(import.meta.dirname, '../../..')).filter(({ path }) => !path.startsWith(OWN_FOLDER))
  const problems = [...findRefusedWords(files, EXEMPTIONS), ...findNoteProblems(files)]
  const selected = problems.filter(({ path }) => folders.length === 0 || folders.some((part) => path.startsWith(part)))
  if (isListed) for (const problem of selected) console.log(format(problem))
  console.log(
    `prose: ${selected.length} problems${IS_ENFORCED ? '' : ' (not enforced yet: see IS_ENFORCED in tools/src/prose/main.ts)'}`,
  )
  if (IS_ENFORCED && selected.length > 0) process.exitCode = 1
}

function format({ path, line, advice }: Problem): string {
  return `${path}:${line}: ${advice}`
}

main(process.argv.slice(2))
