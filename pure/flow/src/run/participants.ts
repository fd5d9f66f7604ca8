import type { Definition } from '../definition/definition.ts'
import type { SigningAct, SigningLine } from './signing-line.ts'

/** One output in the list of a participant. */
export interface ParticipantDocument {
  readonly output_key: string
  readonly name: string
  /** Null where the party only receives the output. */
  readonly position: number | null
  readonly act: SigningAct | null
}

export interface Participant {
  readonly party_key: string
  readonly documents: readonly ParticipantDocument[]
}

/** Parties by their first place in the line; those that never sign or accept come last, in the order of the flow. */
export function participants(
  definition: Definition,
  outputs: readonly { readonly output_key: string; readonly name: string }[],
  line: SigningLine,
): readonly Participant[] {
  return definition.parties
    .map(({ key }) => ({ party_key: key, documents: documentsOf(key, outputs, line) }))
    .toSorted((one, other) => byPosition(firstPosition(one), firstPosition(other)))
}

function documentsOf(
  party: string,
  outputs: readonly { readonly output_key: string; readonly name: string }[],
  line: SigningLine,
): readonly ParticipantDocument[] {
  return outputs
    .map(({ output_key, name }) => {
      const step = line.find((one) => one.output_key === output_key && one.party === party)
      return { output_key, name, position: step?.position ?? null, act: step?.action ?? null }
    })
    .toSorted((one, other) => byPosition(one.position, other.position))
}

function firstPosition({ documents }: Participant): number | null {
  return documents[0]?.position ?? null
}

function byPosition(one: number | null, other: number | null): number {
  if (one === other) return 0
  if (one === null) return 1
  return other === null ? -1 : one - other
}
