import type { Definition } from '@sealpost/flow'
import type { Brand, Instant, UserId } from '@sealpost/kernel'
import type { ObjectKey, Sha256 } from '@sealpost/objects'
import type { ServiceName } from '../services/index.ts'

export type FlowId = Brand<string, 'FlowId'>

/** Names a flow; every key of a table leads with its company and service. */
export interface FlowName extends ServiceName {
  readonly flowId: FlowId
}

/** A published version. It never changes: a run that pins it reads the same definition for its whole life. */
export interface FlowVersion extends FlowName {
  readonly version: number
  /** The name of the flow when this version was published. */
  readonly name: string
  readonly definition: Definition
  readonly publishedAt: Instant
}

/** A flow with its draft: the definition that authors change and publish. */
export interface FlowDraft extends FlowName {
  readonly name: string
  readonly definition: Definition
  /** Null until the first version is published. */
  readonly publishedVersion: number | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** A flow in a list, without its definition. */
export interface FlowSummary {
  readonly id: FlowId
  readonly name: string
  readonly publishedVersion: number | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

export interface NewVersion extends FlowVersion {
  readonly publishedBy: UserId
}

export interface VersionSummary {
  readonly version: number
  readonly name: string
  readonly publishedAt: Instant
  readonly publishedBy: UserId
}

/** A file of a flow: a PDF template, or a picture that a step shows. */
export interface Asset {
  readonly key: string
  readonly kind: AssetKind
  readonly mimeType: string
  readonly originalName: string
  readonly objectKey: ObjectKey
  readonly sha256: Sha256
  readonly bytes: number
  readonly createdAt: Instant
}

export type AssetKind = 'pdf' | 'image'
