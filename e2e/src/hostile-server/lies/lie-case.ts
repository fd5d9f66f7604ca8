import type { HostileServer, Lie } from '../proxy.ts'
import type { Stage } from '../stage.ts'

/** How a client refuses a lie: the class of the error, and its reason or refusal. */
export interface Refusal {
  readonly name: string
  readonly reason?: string
  readonly refusal?: string
  readonly key?: string
}

export interface LieCase {
  /** What the server claims. */
  readonly name: string
  /** The server that lies. */
  readonly server: (stage: Stage) => HostileServer
  readonly lie: (stage: Stage) => Lie | Promise<Lie>
  /** Succeeds with the honest server and rejects with the lying one. */
  readonly act: (stage: Stage) => Promise<unknown>
  readonly refused: Refusal
}

export const us = (stage: Stage): HostileServer => stage.us
export const eu = (stage: Stage): HostileServer => stage.eu

export const untrusted = (reason: string): Refusal => ({ name: 'UntrustedAnswerError', reason })
export const keyChanged: Refusal = { name: 'KeyChangedError' }
export const sealing = (refusal: string): Refusal => ({ name: 'SealingError', refusal })

let secrets = 0

/** A text that must never be seen in the clear; another one each time. */
export function newSecret(): string {
  secrets += 1
  return `secret ${secrets} of Ana`
}
