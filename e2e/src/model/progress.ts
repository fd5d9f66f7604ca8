import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Type from 'typebox'
import Value from 'typebox/value'

const FOLDER = join(import.meta.dirname, '../../../.local/model')

const Stored = Type.Object({
  done: Type.Integer(),
  counts: Type.Record(Type.String(), Type.Integer()),
  findings: Type.Array(Type.String()),
})

/** How far a model has got, kept in a file: the next command with the same name goes on there. */
export interface Progress {
  readonly done: number
  readonly counts: ReadonlyMap<string, number>
  readonly findings: readonly string[]
  add(done: number, counts: Iterable<readonly [string, number]>, findings: readonly string[]): void
}

/** `isFresh`: begins anew and keeps nothing. */
export function openProgress(name: string, isFresh: boolean): Progress {
  const file = join(FOLDER, `${name}.json`)
  const stored =
    !isFresh && existsSync(file)
      ? Value.Parse(Stored, JSON.parse(readFileSync(file, 'utf8')))
      : { done: 0, counts: {}, findings: [] }
  const counts = new Map(Object.entries(stored.counts))
  const findings = [...stored.findings]
  let { done } = stored
  return {
    get done() {
      return done
    },
    counts,
    findings,
    add(reached, more, found) {
      done = reached
      for (const [key, times] of more) counts.set(key, (counts.get(key) ?? 0) + times)
      findings.push(...found)
      if (isFresh) return
      mkdirSync(FOLDER, { recursive: true })
      writeFileSync(file, JSON.stringify({ done, counts: Object.fromEntries(counts), findings }))
    },
  }
}
