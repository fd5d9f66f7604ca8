import type { Operation } from '@sealpost/protocol'
import type { Attributes } from '@sealpost/telemetry'
import type { Contract } from './contract.ts'

/** What is known of a bound operation before any request comes: everything here is made once. */
export interface BoundOperation {
  readonly operation: Operation
  readonly answersXml: boolean
  readonly headers: readonly (readonly [string, string])[]
  readonly attributes: Attributes
  readonly recorder: OperationRecorder
  readonly contract: Contract | null
  /** Compiled by Fastify from the success schema; taken from the first reply that needs it. */
  serialise: ((body: Record<string, unknown>) => string) | null
}

/** Counts and times what one operation answered. */
export interface OperationRecorder {
  readonly name: string
  record(status: number, seconds: number): void
}
