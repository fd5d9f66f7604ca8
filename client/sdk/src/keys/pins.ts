import { fingerprintOf } from './public-key.ts'

/**
 * The memory of a client: what it has learned once and never accepts differently again. Fingerprints of keys, by the
 * code that the user typed and by id; connections; signers of values and the time of the last value of a slot. Keep it
 * across restarts, private to one account: `filePins(folder)` of `@sealpost/sdk/file-store`, or a table of yours.
 */
export interface KeyPins {
  get(name: string): string | undefined | Promise<string | undefined>
  /** Awaited. */
  set(name: string, value: string): unknown
}

/** The owner's key is not the pinned one. Nothing was sealed to it. */
export class KeyChangedError extends Error {
  override readonly name = 'KeyChangedError'
  readonly owner: string
  readonly pinned: string
  readonly received: string

  constructor(owner: string, pinned: string, received: string) {
    super(
      `The public key of ${owner} is not the one that was pinned (${pinned}), but ${received}: ` +
        'keys are never replaced, so use neither and ask the platform what happened',
    )
    this.owner = owner
    this.pinned = pinned
    this.received = received
  }
}

/** Pins that are lost with the process, for tests and scripts: the next process believes whatever key it gets first. */
export function memoryPins(): KeyPins {
  return new Map<string, string>()
}

const REMEDY =
  'give `pins`: filePins(folder) of @sealpost/sdk/file-store, your own store with get and set, or, where nothing has to ' +
  'be remembered after this process, memoryPins()'

export function requirePins(pins: KeyPins | undefined): KeyPins {
  if (pins !== undefined) return pins
  throw new TypeError(`this client must remember keys and connections across restarts: ${REMEDY}`)
}

/** For clients that can also be used without pins: the first call that needs them is refused. */
export function pinsWhenUsed(pins: KeyPins | undefined): KeyPins {
  const used = (): KeyPins => {
    if (pins !== undefined) return pins
    throw new TypeError(`this call must remember keys and senders across restarts: ${REMEDY}`)
  }
  return { get: (name) => used().get(name), set: (name, value) => used().set(name, value) }
}

/** Returns the fingerprint; throws when it differs from the pin or from the claimed one. */
export async function pinKey(pins: KeyPins, owner: string, publicKey: string, claimed?: string): Promise<string> {
  const fingerprint = await fingerprintOf(publicKey)
  if (claimed !== undefined && claimed !== fingerprint) throw new KeyChangedError(owner, claimed, fingerprint)
  const pinned = await pins.get(owner)
  if (pinned === undefined) await pins.set(owner, fingerprint)
  else if (pinned !== fingerprint) throw new KeyChangedError(owner, pinned, fingerprint)
  return fingerprint
}

/**
 * Pins the key of a service by its code, which the user knows, and by its id. The id alone would not do: a server could
 * name another one for the same code.
 */
export async function pinService(
  pins: KeyPins,
  service: { readonly code: string; readonly id: string; readonly publicKey: string; readonly claimed?: string },
): Promise<string> {
  await pinKey(pins, `service:${service.code}`, service.publicKey, service.claimed)
  return pinKey(pins, `service:${service.id}`, service.publicKey)
}
