import { createHash } from 'node:crypto'
import { type Bus, type Party, parseParty } from '@sealpost/bus'
import type { RegionCode } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import {
  consumeGrantTokenAsk,
  endGrantAsk,
  findGrantAsk,
  findGrantTokenAsk,
  putGrantAsk,
  putGrantTokenAsk,
  readConsent,
  type RegionAddress,
} from '@sealpost/protocol'
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import { refuseOutOfOrder } from '../directory/index.ts'

export interface GrantAdapterNeeds {
  readonly bus: Pick<Bus, 'ask'>
  readonly database: Database
  readonly regions: readonly RegionAddress[]
}

/**
 * [Note: who judges time] The engine reads the machine's clock to tell whether something has expired. Here the region
 * does, by its own: what it hands out is alive, so the engine is told that it never expires.
 */
const NEVER = Number.MAX_SAFE_INTEGER

/** A process of the region that has just died holds its lease for a few seconds, and another region may have to hear. */
const ENDING_MS = 15_000

/** The engine's models that rest in the home region of the user, by their names there. */
export function grantAdapters(needs: GrantAdapterNeeds): Readonly<Record<string, Partial<Adapter>>> {
  return {
    AuthorizationCode: tokenAdapter(needs, 'code'),
    RefreshToken: tokenAdapter(needs, 'refresh'),
    Grant: grantAdapter(needs),
    // A JWT is not stored. But of all models this one is always told when a grant ends, and one ask ends everything.
    AccessToken: { revokeByGrantId: (grantId) => endGrant(needs, grantId) },
  }
}

/** The region that a code, refresh token or grant begins with; null when that is none of ours. */
export function regionOf(regions: readonly RegionAddress[], id: string): RegionCode | null {
  const code = id.slice(0, Math.max(0, id.indexOf('.')))
  return regions.find((region) => region.code === code)?.code ?? null
}

/** The region as a party to ask, unless it is being rebuilt. */
export async function openRegion(
  { database }: Pick<GrantAdapterNeeds, 'database'>,
  region: RegionCode,
): Promise<Party> {
  await refuseOutOfOrder(database, region)
  return parseParty(region)
}

function tokenAdapter(needs: GrantAdapterNeeds, kind: 'code' | 'refresh'): Partial<Adapter> {
  const { bus } = needs
  return {
    async find(id) {
      const home = regionOf(needs.regions, id)
      if (home === null) return undefined
      const body = { kind, sha256: sha256(id) }
      const { token } = await bus.ask(findGrantTokenAsk, { to: await openRegion(needs, home), body })
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
      const { is_stored: isStored } = await bus.ask(putGrantTokenAsk, { to: homeOf(needs, id), body })
      // [Note: one wins] Whoever brings a refresh token has used something up before. If the grant ended since, this was the
      // one use that counted and another came just after it: the answer is the same as if the end had come a moment later.
      if (!isStored && kind === 'code') throw new errors.InvalidGrant('the grant has ended')
    },
    async consume(id) {
      const body = { kind, sha256: sha256(id) }
      const { is_won: isWon } = await bus.ask(consumeGrantTokenAsk, {
        to: homeOf(needs, id),
        body,
        timeoutMs: ENDING_MS,
      })
      if (!isWon) throw new errors.InvalidGrant('it was used before')
    },
    // Both only ever happen beside the end of the whole grant.
    destroy: () => Promise.resolve(),
    revokeByGrantId: () => Promise.resolve(),
  }
}

function grantAdapter(needs: GrantAdapterNeeds): Partial<Adapter> {
  const { bus } = needs
  return {
    async find(id) {
      const { payload } = await bus.ask(findGrantAsk, { to: homeOf(needs, id), body: { grant_id: id } })
      if (payload === null) return undefined
      // Here, because what was brought is used up next: a refusal that can be waited out must cost nothing.
      await openRegion(needs, usedIn(needs, payload))
      return { ...payload, jti: id, exp: NEVER }
    },
    async upsert(id, payload, expiresIn) {
      const { accountId, clientId } = payload
      if (accountId === undefined || clientId === undefined) throw new Error('a grant of nobody, or for nobody')
      const body = {
        grant_id: id,
        user_id: accountId,
        client_id: clientId,
        used_in: readConsent(payload).used_in,
        lives_seconds: lifeOf(expiresIn),
        payload: storable(payload),
      }
      await bus.ask(putGrantAsk, { to: homeOf(needs, id), body })
    },
    destroy: (id) => endGrant(needs, id),
  }
}

async function endGrant(needs: GrantAdapterNeeds, grantId: string): Promise<void> {
  await needs.bus.ask(endGrantAsk, { to: homeOf(needs, grantId), body: { grant_id: grantId }, timeoutMs: ENDING_MS })
}

function usedIn({ regions }: GrantAdapterNeeds, payload: AdapterPayload): RegionCode {
  const { used_in: code } = readConsent(payload)
  const region = regions.find((candidate) => candidate.code === code)
  if (region === undefined) throw new Error(`REGIONS does not name ${code}, where a grant is used`)
  return region.code
}

function homeOf({ regions }: GrantAdapterNeeds, id: string): Party {
  const region = regionOf(regions, id)
  if (region === null) throw new Error('an id that begins with no region')
  return parseParty(region)
}

/** Without the text of the token, which is nobody's to keep, and without the engine's idea of its end. */
function storable({ jti: _text, exp: _end, ...rest }: AdapterPayload): Record<string, unknown> {
  return rest
}

function lifeOf(expiresIn: number | undefined): number {
  if (expiresIn === undefined) throw new Error('a grant, code or refresh token that lives for ever')
  return expiresIn
}

function grantIdOf({ grantId }: AdapterPayload): string {
  if (grantId === undefined) throw new Error('a code or refresh token without a grant')
  return grantId
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
