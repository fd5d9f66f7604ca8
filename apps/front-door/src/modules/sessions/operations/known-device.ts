import { createHmac, timingSafeEqual } from 'node:crypto'
import { Secret, type UserId } from '@sealpost/kernel'
import type { Platform } from '../../../platform/module.ts'

/**
 * A browser that has logged in to an account keeps a token for it: a random id, and its keyed hash together with the
 * account. Nothing is stored here. The token replaces neither password nor code: it only gives the browser a limit of
 * its own for failed logins, which strangers cannot use up.
 */
export function makeKnownDevice(
  platform: Pick<Platform, 'settings' | 'ids'>,
  userId: UserId,
  held: readonly Secret<string>[],
): Secret<string> {
  const id = findKnownDevice(platform, userId, held) ?? platform.ids.clientSecret()
  return new Secret(`${id}.${proofOf(platform, userId, id).toString('base64url')}`)
}

/** The id of the device when one of the tokens was made for this account. */
export function findKnownDevice(
  platform: Pick<Platform, 'settings'>,
  userId: UserId,
  tokens: readonly Secret<string>[],
): string | null {
  for (const token of tokens) {
    const [id = '', proof = ''] = token.reveal().split('.')
    const given = Buffer.from(proof, 'base64url')
    const right = proofOf(platform, userId, id)
    if (given.length === right.length && timingSafeEqual(given, right)) return id
  }
  return null
}

function proofOf({ settings }: Pick<Platform, 'settings'>, userId: UserId, id: string): Buffer {
  return createHmac('sha256', settings.DIRECTORY_KEY.reveal()).update(`known device:${userId}:${id}`).digest()
}
