import { Secret } from '@sealpost/kernel'
import { type Address, parseAddress } from './address.ts'
import { SDK_VERSION } from './version.ts'

export interface ServiceClientOptions {
  /** Where tokens are issued, e.g. `https://api.example.com`; the region is found from there. */
  readonly frontDoorUrl: string
  readonly clientId: string
  /** Never shown again: not in errors, not in `log`, not when the client is printed. */
  readonly clientSecret: string
  /** Used in place of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
  /** Milliseconds since 1970; decides when a token is renewed. */
  readonly clock?: { now(): number }
  /** Waits before a call is repeated; rejects when the signal is aborted. */
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
  /** The longest single wait that the platform may ask for before the error is handed to you instead. Default 300. */
  readonly maxWaitSeconds?: number
  /** How long one HTTP request may take, its body included. Default 60,000. */
  readonly requestTimeoutMs?: number
  /** Replaces `sealpost-sdk/<version>`, which browsers do not send. */
  readonly userAgent?: string
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

/** How requests leave this process. */
export interface Wire {
  readonly fetch: typeof globalThis.fetch
  readonly now: () => number
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>
  readonly maxWaitSeconds: number
  readonly requestTimeoutMs: number
  readonly userAgent: string | null
  readonly log: (event: SdkEvent) => void
}

/** A token and the base address that it is good for. */
export interface Access {
  readonly token: Secret<string>
  readonly apiUrl: Address
  readonly renewAtMs: number
}

/** Who is calling: the credentials and what was learned with them so far. */
export interface Caller {
  readonly wire: Wire
  readonly frontDoor: Address
  readonly clientId: string
  readonly clientSecret: Secret<string>
  access: Access | null
  renewal: Promise<Access> | null
}

export function openCaller(options: ServiceClientOptions): Caller {
  return {
    wire: openWire(options),
    frontDoor: frontDoorAddress(options.frontDoorUrl),
    clientId: present('clientId', options.clientId),
    clientSecret: new Secret(present('clientSecret', options.clientSecret)),
    access: null,
    renewal: null,
  }
}

function openWire(options: ServiceClientOptions): Wire {
  const { fetch: ownFetch, clock, log } = options
  return {
    // Browsers refuse a `fetch` that was taken off its global and called with another `this`.
    fetch: ownFetch ?? ((input, init) => globalThis.fetch(input, init)),
    now: () => (clock === undefined ? Date.now() : clock.now()),
    wait: options.wait ?? waitForTimer,
    maxWaitSeconds: positive('maxWaitSeconds', options.maxWaitSeconds ?? 300),
    requestTimeoutMs: positive('requestTimeoutMs', options.requestTimeoutMs ?? 60_000),
    userAgent: options.userAgent === undefined ? ownUserAgent() : headerText('userAgent', options.userAgent),
    log: (event) => log?.(event),
  }
}

function frontDoorAddress(url: string): Address {
  const parsed = parseAddress(present('frontDoorUrl', url))
  if (parsed.ok) return parsed.value
  throw new TypeError(`frontDoorUrl ${parsed.refusal}; expected an address such as https://api.example.com`)
}

function present(name: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value
  throw new TypeError(`${name} is missing: give a non-empty string`)
}

function positive(name: string, value: number): number {
  if (Number.isFinite(value) && value > 0) return value
  throw new TypeError(`${name} must be a number above 0, not ${value}`)
}

function headerText(name: string, value: string): string {
  if (/^[\x20-\x7e]{1,255}$/.test(value)) return value
  throw new TypeError(`${name} must be 1 to 255 visible ASCII characters`)
}

/** In a browser the header would need a CORS permission that the platform does not give. */
function ownUserAgent(): string | null {
  const isBrowser = 'document' in globalThis || 'WorkerGlobalScope' in globalThis
  return isBrowser ? null : `sealpost-sdk/${SDK_VERSION}`
}

function waitForTimer(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted === true) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
