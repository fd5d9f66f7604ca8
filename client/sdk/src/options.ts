import type { KeyPins } from './keys/pins.ts'

/**
 * A secret, or a function that fetches it from where you keep it: `secretFile(path)` and `secretVariable(name)` of
 * `@sealpost/sdk/file-store`, or a call of your secret store. The function is called each time that the secret is used.
 */
export type SecretSource = string | (() => string | Promise<string>)

/** The credentials of a machine client: `svc_…` for a ServiceClient, `acct_…` for an AccountClient. */
export interface ClientCredentials {
  /** The address that issues tokens, e.g. `https://api.example.com`; its answers name the region. */
  readonly frontDoorUrl: string
  readonly clientId: string
  /** Appears in no error, in no `log` event, and not in a printed client. */
  readonly clientSecret: SecretSource
}

/** For first-party pages, which log in without the SDK. */
export interface HandedAccess {
  /** Called when a token is first needed, after a refused one and when one expires; must return a fresh one. */
  readonly accessToken: () => Promise<FreshAccess>
}

export interface FreshAccess {
  readonly token: string
  /** `api_url` of the token response. */
  readonly apiUrl: string
  /** `expires_in` of the token response; by default the token is used until it is refused. */
  readonly expiresInSeconds?: number
}

export type ServiceClientOptions = ClientCredentials & ClientOptions & ReadingOptions & PluginKeyOptions

/** How a client judges the keys of plugins. */
export interface PluginKeyOptions {
  /**
   * Takes every new key of a plugin, also one for which the known key does not vouch: then the server, or the forwarder, can
   * read questions to plugins. Default false: the field cannot be answered until a person confirms the key.
   */
  readonly acceptNewPluginKeys?: boolean
}

/** How a service judges the values that it reads. */
export interface ReadingOptions {
  /**
   * Public keys (JWK, P-256) of the providers whose verifications you rely on, by `verified_provider`. Then only the
   * provider's own signed statement makes a value `attested`; without a key the platform's word does.
   */
  readonly verifiers?: Readonly<Record<string, readonly VerifierKey[]>>
  /** Refuse values without a signature of the customer's device, also in connections that never had one. */
  readonly requireSignatures?: boolean
  /** Earlier slugs by the present slug, for request fields that you have renamed: signatures name the slug. */
  readonly formerSlugs?: Readonly<Record<string, readonly string[]>>
}

export interface VerifierKey {
  readonly kty: string
  readonly crv?: string
  readonly x?: string
  readonly y?: string
  readonly kid?: string
}

export type AccountClientOptions = (ClientCredentials | HandedAccess) & ClientOptions

export interface ClientOptions {
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
  /** Milliseconds since 1970; decides when a token is renewed. */
  readonly clock?: { now(): number }
  /** Waits before a call is repeated; rejects when the signal is aborted. */
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
  /** The longest wait before a repeat; if the platform asks for a longer one, the error is thrown. Default 300; 0 never waits. */
  readonly maxWaitSeconds?: number
  /** How long one HTTP request may take, its body included. Default 60,000. */
  readonly requestTimeoutMs?: number
  /** Replaces `sealpost-sdk/<version>`, which browsers do not send. */
  readonly userAgent?: string
  /**
   * Remembers keys, connections and senders across restarts: `filePins(folder)` of `@sealpost/sdk/file-store`, a store of
   * your own, or `memoryPins()` where nothing has to be remembered. Calls that need it are refused without it.
   */
  readonly pins?: KeyPins
  /**
   * Receives warnings of the platform about calls that it accepted, such as members that it does not know and ignored.
   * By default they are dropped: the SDK writes nothing to the console.
   */
  readonly onWarning?: (warning: SdkWarning) => void
  /** Receives events of the client, without secrets, tokens, queries and bodies. */
  readonly log?: (event: SdkEvent) => void
}

export interface SdkWarning {
  /** `unknown member "evnts", did you mean "events"?`; several are separated by `; `. */
  readonly message: string
  readonly method: string
  readonly address: string
  readonly requestId: string
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
  | {
      readonly kind: 'unanswered'
      readonly method: string
      readonly address: string
      readonly requestId: string
      readonly durationMs: number
    }
  | { readonly kind: 'waiting'; readonly seconds: number; readonly reason: string }
  | { readonly kind: 'token_renewed'; readonly apiUrl: string }
  | { readonly kind: 'rebased'; readonly apiUrl: string }

export interface CallOptions {
  /** Aborts the call and its waits; the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal
  /** For creating calls: your own key (1 to 255 visible ASCII characters) makes a repeat by another process safe. */
  readonly idempotencyKey?: string
}
