import { readSource, type Source } from './sources.ts'
import { textsOf } from './texts.ts'

export interface Statement {
  /** `apps/region/src/modules/feed/store/log.ts#appendRow`: the file and the function that runs it. */
  readonly place: string
  readonly line: number
  readonly text: string
}

/** A statement that cannot be validated, because its text is built at run time. */
export type Unread = Omit<Statement, 'text'>

const RUNS_TEXT = 'runStatement'
const MAKES_TABLES = 'sqlMigration'

/** Path in the repository → text. */
export type Files = ReadonlyMap<string, string>

/** Every SQL text that the sources send to PostgreSQL. */
export function findStatements(files: Files): {
  readonly statements: readonly Statement[]
  readonly unread: readonly Unread[]
} {
  const sources = readSources(files)
  const found = [...sources.values()].flatMap((source) => inSource(source, sources))
  return {
    statements: found.flatMap(({ texts, ...at }) => (texts ?? []).map((text) => ({ ...at, text }))),
    unread: found.flatMap(({ texts, ...at }) => (texts === null ? [at] : [])),
  }
}

/** The SQL of the migrations, in source order. */
export function findMigrations(files: Files): readonly string[] {
  const sources = readSources(files)
  return [...sources.values()].flatMap((source) =>
    source.calls
      .filter(({ callee }) => callee === MAKES_TABLES)
      .flatMap(({ args: [text], scope, line }) => {
        const texts = text === undefined ? null : textsOf(text, scope, source, sources)
        if (texts?.length !== 1)
          throw new Error(`${source.file}:${line}: write the migration as one text that this check can read`)
        return texts
      }),
  )
}

function readSources(files: Files): ReadonlyMap<string, Source> {
  return new Map([...files].map(([file, text]) => [file, readSource(file, text)]))
}

function inSource(
  source: Source,
  sources: ReadonlyMap<string, Source>,
): readonly (Unread & { readonly texts: readonly string[] | null })[] {
  const runs = source.calls.filter(({ callee }) => callee === RUNS_TEXT)
  return runs.map(({ args, scope, inside, line }) => {
    const [, text] = args
    const texts = text !== undefined ? textsOf(text, scope, source, sources) : null
    return { place: `${source.file}#${inside}`, line, texts }
  })
}
