import { parseArgs } from 'node:util'

/** One of several machines that share a run. */
export interface Shard {
  /** From 1. */
  readonly index: number
  readonly count: number
}

export interface Options {
  /** Every lane, not only the due ones. */
  readonly isFull: boolean
  readonly shard: Shard | null
  /** A folder with the results of all shards of a run. */
  readonly merge: string | null
}

export const USAGE = `.ci/run [--full] [--shard I/N | --merge FOLDER]
  --full           runs every lane, not only those that are due
  --shard I/N      runs part I of N, and keeps its results in the folder shards of the state
  --merge FOLDER   joins the results of all parts that FOLDER contains; a missing part fails

The state (durations, costs, files that were unstable) is in $CI_STATE, or in .local/ci.`

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: { full: { type: 'boolean' }, shard: { type: 'string' }, merge: { type: 'string' } },
  })
  if (values.shard !== undefined && values.merge !== undefined)
    throw new Error('--shard and --merge exclude each other')
  return {
    isFull: values.full === true,
    shard: values.shard === undefined ? null : readShard(values.shard),
    merge: values.merge ?? null,
  }
}

export function nameOf({ index, count }: Shard): string {
  return `${index}-of-${count}`
}

function readShard(text: string): Shard {
  const [, index = 0, count = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number)
  if (index < 1 || index > count) throw new Error(`--shard ${text}: write 1/2 for the first of two parts`)
  return { index, count }
}
