import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Problem, readTextFiles } from './files.ts'
import { findNoteProblems } from './notes.ts'
import { findRefusedWords } from './words.ts'

const fixtures = join(import.meta.dirname, 'fixtures')
const places = (problems: readonly Problem[]): readonly string[] => problems.map(({ path, line }) => `${path}:${line}`)

test('a refused word is found in comments, names, strings, documents and SQL', () => {
  expect(places(findRefusedWords(readTextFiles(fixtures, 'words'), []))).toEqual([
    'words/code.ts:1',
    'words/code.ts:2',
    'words/code.ts:3',
    'words/page.md:3',
    'words/quoted/requirements.tsv:2',
    'words/quoted/requirements.tsv:3',
    'words/table.sql:1',
  ])
})

test('an exemption holds for a line, a file or a folder, and an unused one is a problem', () => {
  const files = readTextFiles(fixtures, 'words/quoted')
  const [line, folder] = [{ path: 'words/quoted/requirements.tsv', line: 'that name' }, { path: 'words/' }]
  expect(places(findRefusedWords(files, [{ ...line, reason: 'quoted' }]))).toEqual(['words/quoted/requirements.tsv:3'])
  expect(findRefusedWords(files, [{ ...folder, reason: 'quoted' }])).toEqual([])
  expect(findRefusedWords([], [{ ...folder, reason: 'quoted' }])).toMatchObject([{ path: 'words/', line: 1 }])
})

test('a note is defined once, cited elsewhere, and no citation is left without its note', () => {
  const found = findNoteProblems(readTextFiles(fixtures, 'notes'))
  expect(found.map(({ path, line, advice }) => `${path}:${line}: ${advice}`)).toEqual([
    'notes/citations.ts:10: [Note: missing note] is cited but not defined: define it once, or remove the citation',
    'notes/definitions.ts:2: [Note: value lock] is already defined at notes/citations.ts:7: cite that one',
    'notes/definitions.ts:9: [Note: never cited] is never cited: make it a plain comment, or cite it where it is needed',
  ])
})
