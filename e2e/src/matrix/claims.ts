import type { Capability } from '@sealpost/protocol'
import { isKnown } from './callers.ts'
import type { Outcome } from './cells.ts'
import type { Who } from './who.ts'

/** A rule of the platform, and the cells that prove it. */
export type Claim = readonly [rule: string, isProof: (outcome: Outcome) => boolean]

export const CLAIMS: readonly Claim[] = [
  [
    'no token, a malformed, an expired or a revoked one reaches no route [AUTH-04]',
    ({ caller, expected }) => !isKnown(caller) && expected !== 'passes' && expected.status === 401,
  ],
  [
    'no session reaches the data API [AUTH-01]',
    (outcome) => isUnder(outcome, '/api/company-data/') && isBy(outcome, 'session'),
  ],
  [
    'no account client reaches the data API [AUTH-08]',
    (outcome) => isUnder(outcome, '/api/company-data/') && isOneOf(outcome, ['account']),
  ],
  ['the client registry is for portal logins [AUTH-10]', (outcome) => isUnder(outcome, '/api/account/clients')],
  ['the account key is for portal logins [AUTH-11] [WHITELIST-23]', (outcome) => isUnder(outcome, '/api/account-key')],
  [
    'a client reaches only the paths of its patterns [WHITELIST-01] [WHITELIST-07] [WHITELIST-18]',
    (outcome) => outcome.place === 'home' && isBy(outcome, 'client'),
  ],
  [
    'every account client has the baseline and no path below it [WHITELIST-10] [WHITELIST-11]',
    (outcome) => outcome.place === 'home' && isOneOf(outcome, ['account']),
  ],
  ['service_management opens its paths [WHITELIST-12]', withCapability('service_management')],
  ['customer_connections opens its paths [WHITELIST-15]', withCapability('customer_connections')],
  ['oauth_apps opens its paths [WHITELIST-16]', withCapability('oauth_apps')],
  ['delegate_management opens its paths [WHITELIST-17]', withCapability('delegate_management')],
  [
    'password and e-mail address are closed to clients [WHITELIST-19]',
    (outcome) => isUnder(outcome, '/api/account/password', '/api/account/email') && isBy(outcome, 'client'),
  ],
  [
    'second factor and trusted devices are closed to clients [WHITELIST-20]',
    (outcome) => isUnder(outcome, '/api/account/2fa', '/api/account/trusted-devices') && isBy(outcome, 'client'),
  ],
  [
    'deletion is closed to clients [WHITELIST-21]',
    (outcome) =>
      isUnder(outcome, '/api/account/delete-request', '/api/account/confirm-delete') && isBy(outcome, 'client'),
  ],
  [
    'every place but the home answers with the address of the home [REGION-01] [REGION-07] [ERR-06]',
    ({ expected }) => expected !== 'passes' && expected.status === 421,
  ],
]

const MANAGED = [
  'create',
  'list',
  'read',
  'change',
  'delete',
  'change_share_code',
  'change_admin_email',
  'read_private_key',
  'change_number_matching',
  'read_request_fields',
  'publish_request_fields',
  'read_share_fields',
  'change_share_fields',
  'add_share_photo',
  'remove_share_photo',
  'create_client',
  'read_client',
  'change_client',
  'delete_client',
  'regenerate_client_secret',
].map((name) => `services.${name}`)

/** The routes that a client with service_management must be able to call for the own services. */
export const MANAGED_ROUTES: readonly string[] = [
  ...MANAGED,
  ...['list', 'read', 'create', 'change', 'delete'].map((name) => `webhooks.${name}`),
  ...['start', 'list', 'read', 'answer', 'cancel', 'generate'].map((name) => `service_runs.${name}`),
  'recovery.store_copy',
]

/** Whether a client of this capability was served at home. */
export function isServed(outcome: Outcome, capability: Capability): boolean {
  return outcome.expected === 'passes' && outcome.finding === null && withCapability(capability)(outcome)
}

function isUnder({ route }: Outcome, ...paths: readonly string[]): boolean {
  return paths.some((path) => route.path.startsWith(path))
}

function isBy({ caller }: Outcome, by: 'client' | 'session'): boolean {
  return isKnown(caller) && caller.by === by
}

function isOneOf({ caller }: Outcome, words: readonly Who[]): boolean {
  return isKnown(caller) && words.some((word) => caller.is.includes(word))
}

function withCapability(capability: Capability): Claim[1] {
  return (outcome) => outcome.place === 'home' && isOneOf(outcome, [`account:${capability}`])
}
