import type { Result } from '@sealpost/kernel'
import type { Fault } from './json.ts'

export interface ThreadTask {
  readonly bytes: Uint8Array
  readonly wantsSha256: boolean
}

export interface ThreadAnswer {
  readonly read: Result<unknown, Fault>
  readonly sha256: string | null
}
