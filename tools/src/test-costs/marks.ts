import { join, relative } from 'node:path'

const root = join(import.meta.dirname, '../../..')

/** Each run of the tests appends to it. */
export const COSTS_FILE = join(root, '.vitest/costs.tsv')

/** The CPU time that a worker has used when it begins with a test file. */
export interface Mark {
  /** The process that has started the worker. */
  readonly run: number
  readonly worker: number
  readonly usedMs: number
  readonly file: string
}

export function writeMark({ run, worker, usedMs, file }: Mark): string {
  return `${run}\t${worker}\t${usedMs}\t${relative(root, file)}\n`
}

export interface Cost {
  readonly file: string
  readonly ms: number
}

/** The cost of each file in the last run; the last file of a worker has none, because no mark follows. */
export function readCosts(text: string): readonly Cost[] {
  const marks = text.trimEnd().split('\n').map(readMark)
  const last = marks.at(-1)?.run
  const begun = new Map<number, Mark>()
  const costs: Cost[] = []
  for (const mark of marks.filter(({ run }) => run === last)) {
    const before = begun.get(mark.worker)
    if (before !== undefined) costs.push({ file: before.file, ms: mark.usedMs - before.usedMs })
    begun.set(mark.worker, mark)
  }
  return costs
}

function readMark(line: string): Mark {
  const [run, worker, usedMs, file = ''] = line.split('\t')
  return { run: Number(run), worker: Number(worker), usedMs: Number(usedMs), file }
}

/** An area is a module of an app, or a package. */
export function areaOf(file: string): string {
  const module = /^apps\/[^/]+\/src\/modules\/[^/]+/.exec(file)
  return module?.[0] ?? file.split('/').slice(0, 2).join('/')
}
