import { type Definition, participants, type SigningLine } from '@sealpost/flow'
import type { FlowRun, Generated, RunDocument } from '@sealpost/protocol'

export interface PartyOf {
  readonly userId: string
  readonly connectionId: string | null
}

/** The parties of a run by their first place in the signing line, each with its own copies. */
export function participantsToWire(
  definition: Definition,
  documents: readonly RunDocument[],
  partyOf: (key: string) => PartyOf,
): FlowRun['participants'] {
  const outputs = new Map(documents.map(({ output_key, name }) => [output_key, { output_key, name }]))
  return participants(definition, [...outputs.values()], lineOf(documents)).map(({ party_key, documents: own }) => {
    const { userId, connectionId } = partyOf(party_key)
    return {
      party_key,
      person_user_id: userId,
      connection_id: connectionId,
      documents: own.flatMap(({ output_key }) => {
        const copy = documents.find((one) => one.output_key === output_key && one.party_key === party_key)
        return copy === undefined ? [] : [participantDocument(copy)]
      }),
    }
  })
}

function participantDocument({ party_key: _party, status, ...copy }: RunDocument) {
  return { ...copy, document_status: status }
}

function lineOf(documents: readonly RunDocument[]): SigningLine {
  return documents.flatMap(({ output_key, party_key: party, position, requires_acceptance }) =>
    position === null
      ? []
      : [{ output_key, party, position, action: requires_acceptance ? 'accept' : 'sign' } as const],
  )
}

/** The own copy where the run has made exactly one document: older clients read this member. */
export function onlyDocument(
  documents: readonly RunDocument[],
  isOwn: (partyKey: string) => boolean,
): { readonly document_id?: string } {
  if (new Set(documents.map(({ output_key }) => output_key)).size !== 1) return {}
  const own = documents.find(({ party_key }) => isOwn(party_key))
  return own === undefined ? {} : { document_id: own.document_id }
}

export function generatedToWire(
  status: string,
  documents: readonly RunDocument[],
  isOwn: (partyKey: string) => boolean,
): Generated {
  return {
    documents: documents.map(({ output_key, party_key, document_id, position }) => ({
      output_key,
      party_key,
      document_id,
      position,
    })),
    status,
    document_id: documents.find(({ party_key }) => isOwn(party_key))?.document_id ?? null,
  }
}

/** The copy whose party is to act; null before and after the signing. */
export function openCopy(documents: readonly RunDocument[]): RunDocument | null {
  return documents.find(({ status }) => status === 'ready_to_sign' || status === 'offering') ?? null
}
