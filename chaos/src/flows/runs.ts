import { systemIds } from '@sealpost/process'
import { sealTo } from '../sealing.ts'
import type { Flow, Owner, Pair, Parties, Reader } from './parties.ts'
import { type Act, type Field, SCRIPTS, type ScriptName, type Step, WAITING } from './script.ts'

/** One run of the load: its script, and what was sent and acknowledged. */
export interface Run extends Pair {
  readonly number: number
  readonly owner: Owner
  readonly flow: Flow
  readonly steps: readonly Step[]
  /** Distinguishes its Idempotency-Keys. */
  readonly key: string
  /** Null until the start is acknowledged. */
  id: string | null
  /** The steps that are done. */
  done: number
  /** Whether the parties of the current step have seen that it is their turn. */
  isReady: boolean
  /** Acts of the current step that are answered, and whether they were taken. */
  readonly answered: Map<Act, boolean>
  /** All acts that were taken, in their order. */
  readonly taken: Act[]
  /** The sealed copies of each field, by reader; the same for each repetition of a call. */
  readonly copies: Map<Field, Promise<ReadonlyMap<string, string>>>
  /** Handles of uploaded copies, by reader. */
  readonly files: Map<string, string>
}

export const RUNS = '/api/company-data/flow-runs'

/** One run for each pair of customers and each flow, so that no two share a value; every `waiting`th only waits. */
export function planRuns({ owner, pairs, flows }: Parties, waiting: number): readonly Run[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a literal
  const names = Object.keys(SCRIPTS) as ScriptName[]
  const planned = flows.flatMap((flow) => pairs.map((pair) => ({ flow, pair })))
  return planned.map(({ flow, pair }, number): Run => {
    const script: readonly Step[] = SCRIPTS[names[number % names.length] ?? 'completed']
    return {
      ...pair,
      number,
      owner,
      flow,
      steps: number < waiting ? WAITING : script,
      key: systemIds().uuid(),
      id: null,
      done: 0,
      isReady: false,
      answered: new Map(),
      taken: [],
      copies: new Map(),
      files: new Map(),
    }
  })
}

export function readersOf({ owner, customer, partner }: Run): readonly Reader[] {
  return [owner, customer, partner]
}

/** Sealed once, also for calls that are sent at the same time. */
export async function copyFor(run: Run, field: Field, { userId }: Reader): Promise<string> {
  const sealing = run.copies.get(field) ?? sealCopies(run, field)
  run.copies.set(field, sealing)
  return (await sealing).get(userId) ?? ''
}

/** Each field has a text of its own in each run. */
async function sealCopies(run: Run, field: Field): Promise<ReadonlyMap<string, string>> {
  const text = field === 'proof' ? fileOf(run) : `${field} of run ${run.number}`
  const copies = new Map<string, string>()
  for (const { userId, sealing } of readersOf(run)) copies.set(userId, await sealTo(sealing, text))
  return copies
}

const FILE_BYTES = 20_000

function fileOf({ number }: Run): string {
  const content = Buffer.alloc(FILE_BYTES, `proof of run ${number} `)
  return JSON.stringify({ file: `data:text/plain;base64,${content.toString('base64')}`, original_name: 'proof.txt' })
}

/** The value of a reader's copy in an answer: the wrapper, or a reference to an uploaded file. */
export async function valueOf(run: Run, field: Field, reader: Reader): Promise<string> {
  if (field === 'proof') return JSON.stringify({ _enc_file: run.files.get(reader.userId) })
  return copyFor(run, field, reader)
}
