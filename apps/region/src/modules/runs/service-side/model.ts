import type { Brand, ConnectionId, Instant, ServiceId, UserId } from '@sealpost/kernel'
import type { ObjectKey, Sha256 } from '@sealpost/objects'
import type { Attested, OwnerTagValues, RunTagValues } from '@sealpost/protocol'
import type { FlowId, FlowName } from '../../flows/index.ts'
import type { FileHandle } from '../model.ts'

export type RunId = Brand<string, 'RunId'>

export interface RunName {
  readonly serviceId: ServiceId
  readonly id: RunId
}

/** A party of the flow, bound to a user for the life of the run. */
export interface BoundParty {
  readonly partyKey: string
  readonly userId: UserId
  /** Null for the company itself. */
  readonly customer: BoundCustomer | null
}

export interface BoundCustomer {
  readonly connectionId: ConnectionId
  readonly region: string
  readonly publicKey: string
  /** Null once the account is deleted. */
  readonly shareCode: string | null
  readonly isErased: boolean
}

/** A row of `run` with its participants. */
export interface StoredRun extends RunName, FlowName {
  readonly flowVersion: number
  readonly status: string
  readonly currentNode: string
  readonly outputMode: 'data_only' | 'document'
  readonly referenceDate: string
  readonly ownerTagValues: OwnerTagValues | null
  readonly tagValues: RunTagValues | null
  readonly privateSlugs: readonly string[]
  readonly rev: number
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly cancelledAt: Instant | null
  readonly cancelledBy: string | null
  readonly cancelReason: string | null
  readonly dataDeletedAt: Instant | null
  /** In the order of the definition. */
  readonly parties: readonly BoundParty[]
}

export interface RunSummary extends RunName {
  readonly flowId: FlowId
  readonly flowVersion: number
  readonly status: string
  readonly currentNode: string
  readonly connectionId: ConnectionId
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** The company's copy of an answer. */
export interface StoredAnswer {
  readonly slug: string
  readonly partyKey: string
  /** A wrapper string, or the JSON text of a reference to a file. */
  readonly value: string
  readonly isPrivate: boolean
  readonly isLinked: boolean
  readonly attested: Attested | null
  /** The company's copy of a file that the run holds. */
  readonly file: FileHandle | null
  readonly at: Instant
}

export interface StoredObject {
  readonly objectKey: ObjectKey
  readonly sha256: Sha256
  readonly bytes: number
}

/** A copy of a file answer in this region: the company's, or another's until it is sent on. */
export interface AnswerFile extends StoredObject {
  readonly serviceId: ServiceId
  readonly id: FileHandle
  readonly runId: RunId
  readonly slug: string
  readonly forUserId: UserId
  readonly isUsed: boolean
  readonly createdAt: Instant
}

/** A copy of a customer's shared file; its bytes rest in the region of that customer. */
export interface SourceFile {
  readonly serviceId: ServiceId
  readonly id: FileHandle
  readonly flowId: FlowId
  readonly sourceUserId: UserId
  readonly connectionId: ConnectionId
  readonly region: string
  readonly createdAt: Instant
}

/** A copy that a run uses. */
export interface RunSource extends SourceFile {
  readonly runId: RunId
  readonly sourceKey: string
  readonly forUserId: UserId
}

/** Who takes a turn or cancels: a user, and the region that speaks for them. */
export interface Actor {
  readonly userId: UserId
  /** Null for the company, which acts in its own region. */
  readonly region: string | null
}
