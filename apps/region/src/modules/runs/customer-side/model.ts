import type { Brand, ConnectionId, Instant, ServiceId, UserId } from '@sealpost/kernel'
import type { ObjectKey, Sha256 } from '@sealpost/objects'
import type { Attested, RunStart, RunState } from '@sealpost/protocol'
import type { UserType } from '../../account/index.ts'

export type RunId = Brand<string, 'RunId'>

/** The owner is always part of the name. */
export interface RunName {
  readonly accountId: UserId
  readonly id: RunId
}

/** A connection, as the messages of its service name it. */
export interface ConnectedName {
  readonly companyId: UserId
  readonly companyRegion: string
  readonly serviceId: ServiceId
  readonly accountId: UserId
  readonly connectionId: ConnectionId
}

/** A run that the account takes part in. It outlives its connection. */
export interface CustomerRun extends RunName, ConnectedName {
  readonly userType: UserType
  readonly companyCode: string | null
  readonly serviceCode: string
  readonly start: RunStart
  readonly state: RunState
}

/** The account's copy of an answer. */
export interface CustomerAnswer {
  readonly slug: string
  readonly value: string
  readonly attested: Attested | null
}

export interface StoredFile {
  readonly objectKey: ObjectKey
  readonly sha256: Sha256
  readonly bytes: number
}

/** A file in this region; `runId` null: staged for a run that may follow. */
export interface CustomerFile extends StoredFile {
  readonly accountId: UserId
  readonly id: string
  readonly serviceId: ServiceId
  readonly runId: RunId | null
  readonly slug: string | null
  readonly isUsed: boolean
  readonly createdAt: Instant
}
