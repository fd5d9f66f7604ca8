/** The columns that say whose a row is. Beside one of the first, the service or company that a row names is a stranger. */
export const FIRST_OWNERS: readonly string[] = ['owner_id', 'account_id']
export const OWNER_COLUMNS: readonly string[] = ['company_id', 'service_id', 'user_id', 'customer_id']

/** Tables that belong to the installation and not to one of its accounts. */
export const NOBODYS: Readonly<Record<string, string>> = {
  'access.change': 'the order of changes that all processes of a region follow',
  'access.guard': 'the processes of a region',
  'access.revision': 'one number for the whole region',
  'access.revoked_session': 'session ids that are dead; nothing says whose they were',
  'access.signing_key': 'the published keys of the installation',
  'access.switch': 'the state of the region',
  'directory.region_switch': 'the state of each region',
  'mail.outbox': 'mails on their way, sealed; found by their id and sent to nobody but their reader',
  'registry.field_type': 'the types of fields that the whole platform has',
  'registry.revision': 'one number for the whole region',
  'vault.garbage': 'objects that nothing refers to; their keys are random and tell nothing',
  'sessions.registration': 'addresses that have no account yet',
}

/** Columns that name the owner in another way, by `table.column`. */
export const OTHER_OWNERS: Readonly<Record<string, string>> = {
  'access.client.client_id': 'a token names its client, and the answer says whose it is',
  'account.account.id': 'an account is its own owner',
  'account.account.email_hash': 'who logs in is known by the address alone',
  'directory.account.email_hash': 'whose an address is, is what the directory is asked',
  'directory.account.share_code': 'whose a code is, is what the directory is asked',
  'directory.client.client_id': 'a client that logs in is known by its id alone',
  'grants.grant.id': 'random, and known only from a token that was signed for its owner',
  'grants.token.sha256': 'only whoever holds the secret can name its hash',
  'login.registration.email_hash': 'an address that has no account yet',
  'login.session_token.hash': 'only whoever holds the secret can name its hash',
}

const TIDIES = 'tidies up by time, whoever owned it'
const FINISHES = 'finishes what was cut off half-way, whoever began it'
const REACHES_ALL = 'what a service does reaches all its customers of this region'
const REWRAPS = 'moves everything from one key to another'

/** Statements that mean everybody's rows, by file and function. */
export const ACROSS_OWNERS: Readonly<Record<string, string>> = {
  'apps/front-door/src/directory/clients/store.ts#listClients':
    'a region reads the clients of all accounts that live there',
  'apps/region/src/modules/clients/store/clients.ts#listActsSince': FINISHES,
  'apps/region/src/modules/clients/store/clients.ts#listAllClients': 'commands of an operator',
  'apps/region/src/modules/connections/customer-side/store/connections.ts#deleteOldOpenings': TIDIES,
  'apps/region/src/modules/connections/customer-side/store/connections.ts#lockOfService': REACHES_ALL,
  'apps/region/src/modules/connections/customer-side/store/fan-outs.ts#listDueServices':
    'work that any worker may take up',
  'apps/region/src/modules/connections/customer-side/store/requests.ts#deleteLapsedRequests': TIDIES,
  'apps/region/src/modules/connections/customer-side/store/requests.ts#deleteRequestsOfService': REACHES_ALL,
  'apps/region/src/modules/connections/service-side/store/requests.ts#deleteOldRequests': TIDIES,
  'apps/region/src/modules/connections/service-side/store/slots.ts#releaseExpiredFiles': TIDIES,
  'apps/region/src/modules/connections/service-side/store/taken-files.ts#deleteOldTakenFiles': TIDIES,
  'apps/region/src/modules/feed/store/backlogs.ts#measure': 'figures of a whole region, which name nobody',
  'apps/region/src/modules/feed/store/channels.ts#deleteListeners': TIDIES,
  'apps/region/src/modules/feed/store/heads.ts#takeDueHeads': 'work that any worker may take up',
  'apps/region/src/modules/feed/store/outlets.ts#findName': 'a command of an operator, who knows the webhook alone',
  'apps/region/src/modules/feed/store/outlets.ts#isAnyDue': 'work that any worker may take up',
  'apps/region/src/modules/feed/store/outlets.ts#lockAlerting': 'work that any worker may take up',
  'apps/region/src/modules/feed/store/outlets.ts#lockDueOutlets': 'work that any worker may take up',
  'apps/region/src/modules/feed/store/pages.ts#deleteOldPages': TIDIES,
  'apps/region/src/modules/feed/store/subscriptions.ts#deletePassedSubscriptions': TIDIES,
  'apps/region/src/modules/grants/store/grants.ts#deleteExpired': TIDIES,
  'apps/region/src/modules/grants/store/grants.ts#listEnded': FINISHES,
  'apps/region/src/modules/grants/store/grants.ts#listSharedUnderOtherKeys': REWRAPS,
  'apps/region/src/modules/grants/store/results.ts#deleteForgotten': TIDIES,
  'apps/region/src/modules/login/security/store/mailed-codes.ts#listUnfinishedCodes': FINISHES,
  'apps/region/src/modules/login/security/store/mailed-codes.ts#pruneCodes': TIDIES,
  'apps/region/src/modules/login/security/store/second-factor.ts#lockFactorsUnderOtherKeys': REWRAPS,
  'apps/region/src/modules/login/store/credentials.ts#listCredentialsUnderOtherKeys': REWRAPS,
  'apps/region/src/modules/login/store/devices.ts#pruneBrowsers': TIDIES,
  'apps/region/src/modules/login/store/registrations.ts#listUnfinishedRegistrations': FINISHES,
  'apps/region/src/modules/login/store/registrations.ts#pruneRegistrations': TIDIES,
  'apps/region/src/modules/login/store/sessions.ts#listUnfinishedRevocations': FINISHES,
  'apps/region/src/modules/login/store/sessions.ts#pruneSessions': TIDIES,
  'apps/region/src/modules/services/store/jobs.ts#takeJob':
    'a worker takes the job that waits longest, whose ever it is',
  'apps/region/src/modules/services/store/logs.ts#deleteOldLogs': TIDIES,
  'apps/region/src/modules/vault/store/shares.ts#pruneShares': TIDIES,
  'apps/region/src/modules/vault/store/values.ts#listExpiredAttestations':
    'verifications end by time, whoever has them',
  'apps/region/src/modules/vault/store/verifications.ts#pruneVerifications': TIDIES,
  'apps/region/src/modules/webhooks/store/endpoints.ts#findEndpointById': 'commands of an operator',
  'apps/region/src/modules/webhooks/store/endpoints.ts#listUnderOtherKeys': REWRAPS,
}
