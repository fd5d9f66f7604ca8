import { type Party, parseParty } from '@sealpost/bus'
import {
  consumeGrantTokenAsk,
  endGrantAsk,
  findGrantAsk,
  findGrantTokenAsk,
  putGrantAsk,
  putGrantTokenAsk,
  readConsent,
} from '@sealpost/protocol'
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import type { Platform } from '../../../platform/module.ts'
import { regionOfId, requireRegion } from '../../../platform/regions.ts'
import { sha256 } from '../../../platform/sha256.ts'
import { openParty } from '../../directory/index.ts'

/**
 * The engine compares `exp` with the machine's clock. Regions check expiry by their own clock and return only what has
 * not expired, so the engine gets an `exp` that never passes.
 */
const NEVER = Number.MAX_SAFE_INTEGER

/** A region process that has just died holds its lease for a few seconds, and another region may have to learn of the end. */
const ENDING_MS = 15_000

/** The engine's models that are stored in the home region of the user. */
export function grantAdapters(platform: Platform): Readonly<Record<string, Partial<Adapter>>> {
  return {
    AuthorizationCode: tokenAdapter(platform, 'code'),
    RefreshToken: tokenAdapter(platform, 'refresh'),
    Grant: grantAdapter(platform),
    // JWTs are not stored. The engine always calls this model when a grant ends, and one ask ends everything.
    AccessToken: { revokeByGrantId: (grantId) => endGrant(platform, grantId) },
  }
}

function tokenAdapter(platform: Platform, kind: 'code' | 'refresh'): Partial<Adapter> {
  const { bus } = platform
  return {
    async find(id) {
      const home = regionOfId(platform, id)
      if (home === null) return undefined
      const body = { kind, sha256: sha256(id) }
      const { token } = await bus.ask(findGrantTokenAsk, { to: await openParty(platform, home), body })
      if (token === null) return undefined
      return { ...token.payload, jti: id, exp: NEVER, ...(token.is_consumed ? { consumed: true } : {}) }
    },
    async upsert(id, payload, expiresIn) {
      const body = {
        kind,
        sha256: sha256(id),
        grant_id: grantIdOf(payload),
        lives_seconds: lifeOf(expiresIn),
        payload: storable(payload),
      }
      const { is_stored: isStored } = await bus.ask(putGrantTokenAsk, { to: homeOf(platform, id), body })
      // A refresh token is issued after a code or refresh token was consumed. If the grant has ended since, a concurrent
      // replay ended it: the first use gets the same answer as if the end had come a moment later.
      if (!isStored && kind === 'code') throw new errors.InvalidGrant('the grant has ended')
    },
    async consume(id) {
      const body = { kind, sha256: sha256(id) }
      const to = homeOf(platform, id)
      const { is_won: isWon } = await bus.ask(consumeGrantTokenAsk, { to, body, timeoutMs: ENDING_MS })
      if (!isWon) throw new errors.InvalidGrant('it was used before')
    },
    // The engine calls both only when it also ends the whole grant.
    destroy: () => Promise.resolve(),
    revokeByGrantId: () => Promise.resolve(),
  }
}

function grantAdapter(platform: Platform): Partial<Adapter> {
  const { bus } = platform
  return {
    async find(id) {
      const { payload } = await bus.ask(findGrantAsk, { to: homeOf(platform, id), body: { grant_id: id } })
      if (payload === null) return undefined
      // Refuses here, before the code or refresh token is consumed: the client can retry with the same one.
      await openParty(platform, requireRegion(platform, readConsent(payload).used_in).code)
      return { ...payload, jti: id, exp: NEVER }
    },
    async upsert(id, payload, expiresIn) {
      const { accountId, clientId } = payload
      if (accountId === undefined || clientId === undefined) throw new Error('a grant needs an account and a client')
      const body = {
        grant_id: id,
        user_id: accountId,
        client_id: clientId,
        used_in: readConsent(payload).used_in,
        lives_seconds: lifeOf(expiresIn),
        payload: storable(payload),
      }
      await bus.ask(putGrantAsk, { to: homeOf(platform, id), body })
    },
    destroy: (id) => endGrant(platform, id),
  }
}

async function endGrant(platform: Platform, grantId: string): Promise<void> {
  const body = { grant_id: grantId }
  await platform.bus.ask(endGrantAsk, { to: homeOf(platform, grantId), body, timeoutMs: ENDING_MS })
}

function homeOf(platform: Platform, id: string): Party {
  const region = regionOfId(platform, id)
  if (region === null) throw new Error('a grant, code or refresh token whose id begins with no known region')
  return parseParty(region)
}

/** Leaves out the token itself, of which only the hash is stored, and the engine's expiry. */
function storable({ jti: _token, exp: _expiry, ...rest }: AdapterPayload): Record<string, unknown> {
  return rest
}

function lifeOf(expiresIn: number | undefined): number {
  if (expiresIn === undefined) throw new Error('a grant, code or refresh token without an expiry')
  return expiresIn
}

function grantIdOf({ grantId }: AdapterPayload): string {
  if (grantId === undefined) throw new Error('a code or refresh token without a grant')
  return grantId
}
