import type { DelegateRole, Level, Operation } from '@sealpost/protocol'
import type { Caller } from '../../../platform/caller.ts'
import { matchesPattern } from './patterns.ts'

/** Refused to all clients, whatever their patterns: portal logins only. */
const NEVER_GRANTED: readonly string[] = [
  '/api/account/password',
  '/api/account/email',
  '/api/account/2fa*',
  '/api/account/delete-request',
  '/api/account/confirm-delete',
  '/api/account/trusted-devices*',
  '/api/account/sessions*',
  '/api/profile/migrate-region',
  '/api/profile/keys',
  '/api/account-key',
]

type Methods = readonly (readonly [pattern: string, methods: readonly Operation['method'][]])[]

/** Patterns have no methods: these restrict them. */
const SERVICE_CLIENT_METHODS: Methods = [
  ['/api/contact-fields*', ['GET']],
  ['/api/contact-field-types*', ['GET']],
]
const ACCOUNT_CLIENT_METHODS: Methods = [
  ['/api/account', ['GET']],
  ['/api/profile', ['GET', 'PUT']],
  ['/api/contact-field-types*', ['GET']],
]

export type AccessVerdict = 'granted' | 'auth.client_endpoint_forbidden' | 'company_data.no_client'

/** The members of a caller that decide about access. */
export type Asking = Pick<Caller, 'kind' | 'role'> & {
  readonly client: { readonly patterns: readonly string[] } | null
}

export interface Aim {
  /** Canonical; see [Note: canonical path]. */
  readonly path: string
  readonly operation: Pick<Operation, 'method' | 'callers' | 'delegateRole'>
}

/** A matching pattern is necessary, not sufficient: the route must list the kind of caller as well. */
export function validateAccess(caller: Asking, { path, operation }: Aim): AccessVerdict {
  const { kind, client } = caller
  if (client === null && path.startsWith('/api/company-data/')) return 'company_data.no_client'
  const isOpen = client === null || mayClientReach(kind, client.patterns, path, operation.method)
  const isMeant = operation.callers.includes(kind) && isRoleEnough(caller.role, operation.delegateRole ?? 'admin')
  return isOpen && isMeant ? 'granted' : 'auth.client_endpoint_forbidden'
}

function mayClientReach(
  kind: Caller['kind'],
  patterns: readonly string[],
  path: string,
  method: Operation['method'],
): boolean {
  if (NEVER_GRANTED.some((pattern) => matchesPattern(pattern, path))) return false
  if (!patterns.some((pattern) => matchesPattern(pattern, path))) return false
  return methodsOf(kind).every(([pattern, methods]) => !matchesPattern(pattern, path) || methods.includes(method))
}

function methodsOf(kind: Caller['kind']): Methods {
  if (kind === 'service_client') return SERVICE_CLIENT_METHODS
  return kind === 'account_client' ? ACCOUNT_CLIENT_METHODS : []
}

/** `role` is null for all callers but delegates. */
function isRoleEnough(role: DelegateRole | null, needed: DelegateRole): boolean {
  return role === null || role === 'admin' || needed === 'operator'
}

const LEVELS: readonly Level[] = ['free', 'basic', 'pro', 'enterprise']

export function isLevelReached(level: Level, needed: Level): boolean {
  return LEVELS.indexOf(level) >= LEVELS.indexOf(needed)
}
