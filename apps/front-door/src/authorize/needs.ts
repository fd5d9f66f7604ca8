import type { TokenVerifier } from '@sealpost/access-token'
import type { Keyring } from '@sealpost/kernel'
import type { Telemetry } from '@sealpost/telemetry'
import type { SessionNeeds } from '../sessions/index.ts'
import type { IssueNeeds } from './issue.ts'

export interface AuthorizeNeeds extends SessionNeeds, IssueNeeds {
  readonly issuer: string
  readonly verifier: TokenVerifier
  readonly pepper: Keyring
  readonly telemetry: Telemetry
  /** The consent page of the person app. */
  readonly authWebUrl: string
  /** Logins per minute and source address. */
  readonly loginQuota: number
  /** Polls of a detached result per minute, client and state. */
  readonly resultQuota: number
  /** Looks at requests and decisions per minute and person. */
  readonly dataQuota: number
}
