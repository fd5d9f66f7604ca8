import { fingerprintOf } from './public-key.ts'

/**
 * Stores the fingerprint of every used key by its owner, such as `account:USER_ID` or `service:SERVICE_ID`. Keys of the
 * platform are never replaced, so a different key means an attack. Give your own store to keep the pins across restarts.
 */
export interface KeyPins {
  get(owner: string): string | undefined | Promise<string | undefined>
  /** Awaited. */
  set(owner: string, fingerprint: string): unknown
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

export function pinsInMemory(): KeyPins {
  return new Map<string, string>()
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
