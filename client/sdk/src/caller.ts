import type { Secret } from '@sealpost/kernel'
import { untilAborted } from './abort.ts'
import { type Address, parseAddress } from './address.ts'
import type { AccountClientOptions, ClientCredentials, ClientOptions, FreshAccess } from './options.ts'
import { type OpenSource, openSource } from './secret-source.ts'
import { SDK_VERSION } from './version.ts'
import type { Wire } from './wire.ts'

/** A token and the base address that it is valid for. */
export interface Access {
  readonly token: Secret<string>
  readonly apiUrl: Address
  readonly renewAtMs: number
}

/** The source of tokens: the front door, with the client's secret, or a function of the page. */
export type AccessSource =
  | {
      readonly kind: 'front_door'
      readonly frontDoor: Address
      readonly clientId: string
      readonly clientSecret: OpenSource
    }
  | { readonly kind: 'handed'; readonly ask: () => Promise<FreshAccess> }

/** The state of a client: its source of tokens and its current token. */
export interface Caller {
  readonly wire: Wire
  readonly source: AccessSource
  access: Access | null
  renewal: Promise<Access> | null
}

/** A longer timer would overflow and fire at once. */
const LONGEST_TIMER_MS = 20 * 24 * 3600 * 1000

export function openCaller(options: AccountClientOptions): Caller {
  const source = 'accessToken' in options ? handedSource(options.accessToken) : frontDoorSource(options)
  return { wire: openWire(options), source, access: null, renewal: null }
}

function frontDoorSource({ frontDoorUrl, clientId, clientSecret }: ClientCredentials): AccessSource {
  return {
    kind: 'front_door',
    frontDoor: frontDoorAddress(frontDoorUrl),
    clientId: present('clientId', clientId),
    clientSecret: openSource('clientSecret', clientSecret),
  }
}

function handedSource(ask: () => Promise<FreshAccess>): AccessSource {
  if (typeof ask !== 'function') throw new TypeError('accessToken must be a function that returns {token, apiUrl}')
  return { kind: 'handed', ask }
}

export function openWire(options: ClientOptions): Wire {
  const { fetch: ownFetch, clock = systemClock, log, onWarning } = options
  return {
    // Browsers refuse `fetch` with another `this` than the global object.
    fetch: ownFetch ?? ((input, init) => globalThis.fetch(input, init)),
    now: () => clock.now(),
    wait: options.wait ?? waitForTimer,
    maxWaitSeconds: inRange('maxWaitSeconds', options.maxWaitSeconds ?? 300, 0, LONGEST_TIMER_MS / 1000),
    requestTimeoutMs: inRange('requestTimeoutMs', options.requestTimeoutMs ?? 60_000, 1, LONGEST_TIMER_MS),
    userAgent: options.userAgent === undefined ? ownUserAgent() : headerText('userAgent', options.userAgent),
    log: (event) => log?.(event),
    warn: (warning) => onWarning?.(warning),
  }
}

// oxlint-disable-next-line sealpost/time-and-chance -- the default clock of the SDK, which customers can replace
const systemClock = { now: (): number => Date.now() }

export function frontDoorAddress(url: string): Address {
  const parsed = parseAddress(present('frontDoorUrl', url))
  if (parsed.ok) return parsed.value
  throw new TypeError(`frontDoorUrl ${parsed.refusal}; expected an address such as https://api.example.com`)
}

function present(name: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value
  throw new TypeError(`${name} is missing: give a non-empty string`)
}

function inRange(name: string, value: number, min: number, max: number): number {
  if (value >= min && value <= max) return value
  throw new TypeError(`${name} must be a number from ${min} to ${max}, not ${value}`)
}

function headerText(name: string, value: string): string {
  if (/^[\x20-\x7e]{1,255}$/.test(value)) return value
  throw new TypeError(`${name} must be 1 to 255 visible ASCII characters`)
}

/** None in a browser: the platform's CORS rules do not allow the header. */
function ownUserAgent(): string | null {
  const isBrowser = 'document' in globalThis || 'WorkerGlobalScope' in globalThis
  return isBrowser ? null : `sealpost-sdk/${SDK_VERSION}`
}

async function waitForTimer(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  try {
    await untilAborted(elapsed, signal)
  } finally {
    clearTimeout(timer)
  }
}
