import type { Definition, OutputRule, Party, Signer } from '../definition/definition.ts'

export type SigningAct = 'sign' | 'accept'

/** One output that is made, with its signers in their order. */
export interface OutputSigners {
  readonly output_key: string
  readonly signers: readonly OutputSigner[]
}

export interface OutputSigner {
  readonly party: string
  readonly action: SigningAct
}

export interface SigningStep extends OutputSigner {
  readonly output_key: string
  /** 1-based place in the line. */
  readonly position: number
}

/** All signatures of a run, one after the other: every output's first signer, then every output's second, and so on. */
export type SigningLine = readonly SigningStep[]

export function signingLine(outputs: readonly OutputSigners[]): SigningLine {
  const longest = Math.max(0, ...outputs.map((output) => output.signers.length))
  const steps: SigningStep[] = []
  for (let place = 0; place < longest; place += 1) {
    for (const { output_key, signers } of outputs) {
      const signer = signers[place]
      if (signer !== undefined) steps.push({ position: steps.length + 1, output_key, ...signer })
    }
  }
  return steps
}

/** Every party signs in the order of the flow if the list is absent or empty. */
export function signersOf(definition: Definition, rule: OutputRule): readonly OutputSigner[] {
  const named = rule.signers ?? []
  return named.length > 0 ? named.map(asSigner) : definition.parties.map(signing)
}

function asSigner({ party, action }: Signer): OutputSigner {
  return { party, action: action === 'accept' ? 'accept' : 'sign' }
}

function signing({ key }: Party): OutputSigner {
  return { party: key, action: 'sign' }
}

/** A line after its first `acted` steps are done; only the next one is open. */
export interface LineState {
  readonly open: SigningStep | null
  /** Outputs whose own last signer is done, in that order. */
  readonly sealed: readonly string[]
  readonly isComplete: boolean
}

export function lineState(line: SigningLine, acted: number): LineState {
  const open = line[acted] ?? null
  const waiting = new Set(line.slice(acted).map((step) => step.output_key))
  const done = line.slice(0, acted).map((step) => step.output_key)
  const sealed = [...new Set(done.toReversed())].toReversed().filter((output) => !waiting.has(output))
  return { open, sealed, isComplete: open === null }
}

export type CopyStatus = 'waiting' | 'ready_to_sign' | 'offering' | 'active'

/** The status of a party's copy of an output; for a party that does not sign or accept it is active from the start. */
export function copyStatus(line: SigningLine, acted: number, output: string, party: string): CopyStatus {
  const place = line.findIndex((step) => step.output_key === output && step.party === party)
  const step = line[place]
  if (step === undefined || place < acted) return 'active'
  if (place > acted) return 'waiting'
  return step.action === 'accept' ? 'offering' : 'ready_to_sign'
}
