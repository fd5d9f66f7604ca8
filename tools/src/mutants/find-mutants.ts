import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { type Change, findChanges, type SyntaxNode } from './changes.ts'

/** One change of one file. `text` is the whole file with the change. */
export interface Mutant {
  readonly key: string
  readonly file: string
  readonly line: number
  readonly kind: string
  readonly original: string
  readonly replacement: string
  readonly text: string
}

const SOURCES = ['pure/*/src/**/*.ts', 'apps/*/src/**/rules/*.ts']
const TABLES = /^pure\/protocol\/src\/(?:operations|errors|asks|wire)\//v
const OF_TABLES = new Set(['string', 'number', 'object', 'array'])

/** Every mutant of the rules and of the pure packages. */
export function findMutants(root: string, only: string): readonly Mutant[] {
  const files = globSync(SOURCES, { cwd: root, exclude: ['**/*.test.ts', '**/testing/**'] })
    .filter((file) => file.startsWith(only))
    .toSorted()
  if (files.length === 0) throw new Error(`--only ${only}: there are no rules and no pure packages under this path`)
  return files.flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8')))
}

/** Without the tables of the contract, whose every change shows in generated documents. */
export function mutantsOf(file: string, text: string): readonly Mutant[] {
  return findChanges(parse(file, text), text)
    .filter(({ kind }) => !(OF_TABLES.has(kind) && TABLES.test(file)))
    .map((change) => apply(file, text, change))
    .filter((mutant) => parseSync(file, mutant.text).errors.length === 0)
}

function apply(file: string, text: string, { kind, start, end, replacement }: Change): Mutant {
  return {
    key: [file, start, end, replacement].join(':'),
    file,
    line: text.slice(0, start).split('\n').length,
    kind,
    original: text.slice(start, end),
    replacement,
    text: text.slice(0, start) + replacement + text.slice(end),
  }
}

function parse(file: string, text: string): SyntaxNode {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message ?? ''}`)
  return { ...program }
}
