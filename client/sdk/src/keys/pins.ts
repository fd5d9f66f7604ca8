import { fingerprintOf } from './public-key.ts'

/**
 * Remembers the fingerprint of every key that was used, by whose it is: `person:ABC123`, `service:ACME/MAIN`. Keys of
 * the platform are never replaced, so a pin that differs means that somebody stands in between. Hand in a store of your
 * own to remember across restarts.
 */
export interface KeyPins {
  get(owner: string): string | undefined | Promise<string | undefined>
  /** Awaited. */
  set(owner: string, fingerprint: string): unknown
}

/** Another key than before came for the same owner. Nothing was sealed to it. */
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

/** Answers the fingerprint; throws when it is not what was pinned or what the answer claims. */
export async function pinKey(pins: KeyPins, owner: string, publicKey: string, claimed?: string): Promise<string> {
  const fingerprint = await fingerprintOf(publicKey)
  if (claimed !== undefined && claimed !== fingerprint) throw new KeyChangedError(owner, claimed, fingerprint)
  const pinned = await pins.get(owner)
  if (pinned === undefined) await pins.set(owner, fingerprint)
  else if (pinned !== fingerprint) throw new KeyChangedError(owner, pinned, fingerprint)
  return fingerprint
}
