import type { KeyPins } from './keys/pins.ts'

/** Of a machine client: `svc_…` for a ServiceClient, `acct_…` for an AccountClient. */
export interface ClientCredentials {
  /** Where tokens are issued, e.g. `https://api.example.com`; the region is found from there. */
  readonly frontDoorUrl: string
  readonly clientId: string
  /** Never shown again: not in errors, not in `log`, not when the client is printed. */
  readonly clientSecret: string
}

/** For first-party pages, which log in by themselves. */
export interface HandedAccess {
  /** Asked when a token is first needed, after one was refused, and when its time has run out: answer a fresh one. */
  readonly accessToken: () => Promise<FreshAccess>
}

export interface FreshAccess {
  readonly token: string
  /** `api_url` of the answer that the token came with. */
  readonly apiUrl: string
  /** `expires_in` of that answer; without it the token is used until it is refused. */
  readonly expiresInSeconds?: number
}

export type ServiceClientOptions = ClientCredentials & ClientOptions

export type AccountClientOptions = (ClientCredentials | HandedAccess) & ClientOptions

export interface ClientOptions {
  /** Used in place of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
  /** Milliseconds since 1970; decides when a token is renewed. */
  readonly clock?: { now(): number }
  /** Waits before a call is repeated; rejects when the signal is aborted. */
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
  /** The longest single wait that the platform may ask for before the error is handed to you. Default 300; 0 never waits. */
  readonly maxWaitSeconds?: number
  /** How long one HTTP request may take, its body included. Default 60,000. */
  readonly requestTimeoutMs?: number
  /** Replaces `sealpost-sdk/<version>`, which browsers do not send. */
  readonly userAgent?: string
  /** Remembers public keys; in memory unless given. */
  readonly pins?: KeyPins
  /** Told what the client does; receives no secret, token, query or body. */
  readonly log?: (event: SdkEvent) => void
}

export type SdkEvent =
  | {
      readonly kind: 'answered'
      readonly method: string
      readonly address: string
      readonly status: number
      readonly requestId: string
      readonly durationMs: number
    }
  | { readonly kind: 'unanswered'; readonly method: string; readonly address: string; readonly requestId: string }
  | { readonly kind: 'waiting'; readonly seconds: number; readonly reason: string }
  | { readonly kind: 'token_renewed'; readonly apiUrl: string }
  | { readonly kind: 'rebased'; readonly apiUrl: string }

export interface CallOptions {
  /** Ends the call, its waits included; the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal
  /** For calls that create: a key of your own (1 to 255 visible ASCII characters) makes a repeat from elsewhere safe. */
  readonly idempotencyKey?: string
}
