import type { CallOptions } from '../options.ts'
import { batchKeys, readKey, readServiceKey } from '../routes.generated.ts'
import type { Send } from '../send.ts'
import type { ReadKeyAnswer, ReadServiceKeyAnswer } from '../shapes.generated.ts'
import { UntrustedAnswerError } from '../untrusted.ts'
import { normalCode, splitCode } from './codes.ts'
import { type KeyPins, pinKey, pinService } from './pins.ts'

/** The largest number of keys per call. */
const BATCH = 100

/** Public keys, pinned on first use: a changed key is a `KeyChangedError`. */
export class Keys {
  readonly #send: Send
  readonly #pins: KeyPins

  constructor(send: Send, pins: KeyPins) {
    this.#send = send
    this.#pins = pins
  }

  /** The key of a person or of a company's account, by share code. */
  async read(shareCode: string, options?: CallOptions): Promise<ReadKeyAnswer> {
    const code = shareCode.trim().toUpperCase()
    const key = await this.#send(readKey, { params: { shareCode: code } }, options)
    await pinKey(this.#pins, `code:${code}`, key.public_key, key.public_key_sha256)
    await pinKey(this.#pins, `account:${key.user_id}`, key.public_key)
    return key
  }

  /** The key of a service, by `COMPANYCODE/SERVICECODE`. */
  async readOfService(code: string, options?: CallOptions): Promise<ReadServiceKeyAnswer> {
    const key = await this.#send(readServiceKey, { params: splitCode(code) }, options)
    const { service_id: id, public_key: publicKey, public_key_sha256: claimed } = key
    await pinService(this.#pins, { code: normalCode(code), id, publicKey, claimed })
    return key
  }

  /** The keys of connected users, by user id; other users are absent from the result. */
  async readMany(userIds: readonly string[], options?: CallOptions): Promise<ReadonlyMap<string, string>> {
    const asked = new Set(userIds)
    const found = new Map<string, string>()
    for (let at = 0; at < userIds.length; at += BATCH) {
      const body = { user_ids: userIds.slice(at, at + BATCH) }
      const { keys } = await this.#send(batchKeys, { body }, options)
      for (const [userId, publicKey] of Object.entries(keys)) {
        if (!asked.has(userId)) throw new UntrustedAnswerError('unasked', userId)
        await pinKey(this.#pins, `account:${userId}`, publicKey)
        found.set(userId, publicKey)
      }
    }
    return found
  }
}
