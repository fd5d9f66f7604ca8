import { choosePlugin, type PluginFact } from '@sealpost/flow'
import { accept, decline, type Result } from '@sealpost/kernel'
import { claimMembers, MAX_CLAIMS, namesPlugin, readClaim } from '@sealpost/protocol'
import type { AppClaim } from '../model.ts'

export interface ClaimsRefusal {
  readonly key: 'oauth_apps.claims_invalid' | 'oauth_apps.claim_config_plugin_invalid'
  readonly reason: string
}

const MEMBERS: readonly string[] = claimMembers

export interface ClaimFacts {
  /** The types whose values travel inline. */
  readonly claimable: readonly string[]
  /** The plugins of the company, by id. */
  readonly plugins: ReadonlyMap<string, PluginFact>
}

/** Whether one of the given claims may name a plugin. */
export function hasPluginClaim(value: unknown): boolean {
  return Array.isArray(value) && value.some((claim: unknown) => isObject(claim) && namesPlugin({ ...claim }))
}

export function validateClaims(value: unknown, facts: ClaimFacts): Result<readonly AppClaim[], ClaimsRefusal> {
  if (value === undefined) return accept([])
  if (!Array.isArray(value)) return invalid('claims is not a list')
  if (value.length > MAX_CLAIMS)
    return invalid(`an app has at most ${MAX_CLAIMS} claims, not ${value.length}; remove some`)
  const claims: AppClaim[] = []
  for (const [place, member] of value.entries()) {
    const claim = validateClaim(member, `claims[${place}]`, facts)
    if (!claim.ok) return claim
    if (claims.some(({ name }) => name === claim.value.name)) return invalid(`claims[${place}] repeats a name`)
    claims.push(claim.value)
  }
  return accept(claims)
}

function validateClaim(
  value: unknown,
  at: string,
  { claimable, plugins }: ClaimFacts,
): Result<AppClaim, ClaimsRefusal> {
  if (!isObject(value)) return invalid(`${at} is not an object`)
  const given: Readonly<Record<string, unknown>> = { ...value }
  if (Object.keys(given).some((member) => !MEMBERS.includes(member))) return invalid(`${at} has an unknown member`)
  const claim = readClaim(given, at, claimable, (plugin) => choosePlugin(plugin, plugins))
  if (claim.ok) return claim
  const { isPlugin, reason } = claim.refusal
  return isPlugin ? decline({ key: 'oauth_apps.claim_config_plugin_invalid', reason }) : invalid(reason)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function invalid(reason: string): Result<never, ClaimsRefusal> {
  return decline({ key: 'oauth_apps.claims_invalid', reason: `The list of claims cannot be used: ${reason}` })
}
