import type { Secret } from '@sealpost/kernel'
import type { AuthorizeMode } from '@sealpost/protocol'
import type Provider from 'oidc-provider'
import type { Platform } from '../../platform/module.ts'
import type { ClientFacts, CommandClient } from '../oauth/index.ts'

/** The platform with the OAuth engine, which stores grants and codes. */
export interface Authorize extends Platform {
  readonly provider: Provider
}

export interface NamedClient extends ClientFacts {
  readonly name: string
}

/** A client that a user of a company signs in for. */
export type AnyClient = ClientFacts | CommandClient

/** An authorize request that the client's registration allows. */
export interface AuthorizeRequest<Client extends AnyClient = ClientFacts> {
  readonly client: Client
  readonly redirectUri: string
  readonly state: string | null
  /** The scope that is granted. */
  readonly scope: string
  /** As sent. */
  readonly scopes: readonly string[]
  readonly challenge: string | null
  readonly nonce: string | null
  readonly mode: AuthorizeMode
  readonly isDetached: boolean
  /** As sent: which values are valid depends on the app's own claims. */
  readonly claims: string | null
}

export interface ReturnAddress {
  readonly redirectUri: string
  readonly state: string | null
}

export interface Fault {
  /** Null when client or redirect URI cannot be trusted: the caller gets the answer, and no redirect follows. */
  readonly to: ReturnAddress | null
  readonly code: 'invalid_request' | 'unauthorized_client' | 'unsupported_response_type' | 'access_denied'
  readonly key: 'oauth.invalid_request' | 'oauth.unauthorized_client' | 'oauth.access_denied'
  readonly sentence: string
}

/** The address that the browser is sent to; null when the client polls for the outcome. */
export type Destination = string | null

/** The parts of a request that a code is bound to. */
export interface CodeTerms {
  readonly userId: string
  readonly clientId: string
  readonly redirectUri: string
  readonly scope: string
  readonly challenge: string | null
  readonly nonce: string | null
  readonly authTime: number
}

export interface CompanyLogin {
  readonly email: string
  readonly verifier: Secret<string>
  readonly otp: string | null
}
