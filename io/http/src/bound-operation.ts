import type { Operation } from '@sealpost/protocol'
import type { Attributes } from '@sealpost/telemetry'
import type { Contract } from './contract.ts'
import type { Urgency } from './urgency.ts'

/** Everything about a bound operation that is computed once, before any request. */
export interface BoundOperation {
  readonly operation: Operation
  readonly answersXml: boolean
  readonly urgency: Urgency
  readonly headers: readonly (readonly [string, string])[]
  readonly attributes: Attributes
  readonly recorder: OperationRecorder
  readonly contract: Contract | null
  /** Compiled by Fastify from the success schema; taken from the first reply that needs it. */
  serialise: ((body: Record<string, unknown>) => string) | null
}

/** Counts and times the answers of one operation. */
export interface OperationRecorder {
  readonly name: string
  record(status: number, seconds: number): void
}
