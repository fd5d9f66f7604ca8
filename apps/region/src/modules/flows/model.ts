import type { Definition } from '@sealpost/flow'
import type { Brand, Instant } from '@sealpost/kernel'
import type { ServiceName } from '../services/index.ts'

export type FlowId = Brand<string, 'FlowId'>
/** The handle of a file of a run; never a path. */
export type FileHandle = Brand<string, 'FileHandle'>

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
