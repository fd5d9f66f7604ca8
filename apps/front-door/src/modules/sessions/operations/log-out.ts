import type { Secret } from '@sealpost/kernel'
import { closeSessionAsk } from '@sealpost/protocol'
import type { Platform } from '../../../platform/module.ts'
import { regionOfId } from '../../../platform/regions.ts'
import { openParty } from '../../directory/index.ts'
import type { UserType } from '../model.ts'

/** A region process that has just died holds its lease for a few seconds, and other regions may have to learn of the end. */
export const REVOCATION_MS = 10_000

/** Resolves once no token of the session works any more; rejects on any failure before that. */
export async function logOut(platform: Platform, token: Secret<string>, userType: UserType): Promise<void> {
  const region = regionOfId(platform, token.reveal())
  if (region === null) return
  const body = { refresh_token: token.reveal(), user_type: userType }
  await platform.bus.ask(closeSessionAsk, { to: await openParty(platform, region), body, timeoutMs: REVOCATION_MS })
}
