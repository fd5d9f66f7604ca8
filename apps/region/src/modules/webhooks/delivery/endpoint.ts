import type { Instant, Secret } from '@sealpost/kernel'
import type { OutletName } from '../../feed/index.ts'

export type EndpointAuth =
  | {
      readonly type: 'hmac'
      readonly secret: Secret<string>
      /** Newest first; each signs as well until its time is over. */
      readonly earlier: readonly { readonly secret: Secret<string>; readonly validUntil: Instant }[]
    }
  | { readonly type: 'bearer'; readonly token: Secret<string> }
  | { readonly type: 'basic'; readonly username: Secret<string>; readonly password: Secret<string> }
  | { readonly type: 'header'; readonly name: Secret<string>; readonly value: Secret<string> }
  | { readonly type: 'none' }

/** Why nothing can be sent, for the company: what it can do, and nothing of the platform's keys. */
export const UNREADABLE = 'its secrets cannot be opened; set them again'

/** A webhook as far as sending to it goes. */
export interface Endpoint {
  readonly name: OutletName
  readonly url: string
  readonly format: 'json' | 'xml'
  /** The whole body is sealed to the company's account key. */
  readonly isEncrypted: boolean
  /** Needed for that only. */
  readonly accountKey: string | null
  /** Null: its secrets cannot be opened, so nothing can be sent to it. */
  readonly auth: EndpointAuth | null
}
