import type { ClientKind } from '@sealpost/kernel'
import { capabilities as CAPABILITIES, type Capability } from '@sealpost/protocol'
import { matchesPattern } from './patterns.ts'

/** The groups of paths that an account client may have. */
const GROUPS = {
  service_management: ['/api/services*', '/api/account/recovery-*'],
  company_profile_fields: ['/api/contact-data*', '/api/contact-fields*', '/api/photos*'],
  customer_connections: ['/api/company-connections*', '/api/customer/*', '/api/keys*'],
  oauth_apps: ['/api/account/oauth-apps*', '/api/account/recovery-*'],
  delegate_management: ['/api/delegates*'],
} as const satisfies Record<Capability, readonly string[]>

const SERVICE_CLIENT: readonly string[] = [
  '/api/company-data/*',
  '/api/contact-fields*',
  '/api/contact-field-types*',
  '/api/keys/*',
  '/api/service-2fa/*',
]

const ACCOUNT_CLIENT_BASELINE: readonly string[] = [
  '/api/account',
  '/api/profile',
  '/oauth2/token',
  '/api/contact-field-types*',
]

const SIGNIN_APP: readonly string[] = ['/api/oauth/userinfo', '/api/oauth/plugin-pass']

/**
 * The current patterns of a kind of client; a client's row stores a snapshot. Only account clients are configurable.
 */
export function patternsFor(kind: ClientKind, capabilities: readonly Capability[] = []): readonly string[] {
  switch (kind) {
    case 'svc':
      return SERVICE_CLIENT
    case 'acct':
      return [...new Set([...ACCOUNT_CLIENT_BASELINE, ...capabilities.flatMap((name) => GROUPS[name])])]
    case 'idw':
      return SIGNIN_APP
  }
}

/** Of the `sealpost` command: what an account client with the group service_management reaches. */
export const COMMAND_PATTERNS: readonly string[] = patternsFor('acct', ['service_management'])

/**
 * The first group that would open a path to a client with these patterns; null where a pattern matches or no group does.
 * It depends on the path alone, so that it does not tell whether a route exists.
 */
export function missingCapability(patterns: readonly string[], path: string): Capability | null {
  const isOpenBy = (granted: readonly string[]): boolean => granted.some((pattern) => matchesPattern(pattern, path))
  return isOpenBy(patterns) ? null : (CAPABILITIES.find((name) => isOpenBy(GROUPS[name])) ?? null)
}

/** The groups in canonical order, without repeats; null for an unknown name. */
export function readCapabilities(names: readonly string[]): readonly Capability[] | null {
  const isKnown = names.every((name) => CAPABILITIES.some((known) => known === name))
  return isKnown ? CAPABILITIES.filter((known) => names.includes(known)) : null
}
