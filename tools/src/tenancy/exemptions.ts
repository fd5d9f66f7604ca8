/** The columns that name the owner of a row. In a table with one of the first, the others name another party. */
export const FIRST_OWNERS: readonly string[] = ['owner_id', 'account_id']
export const OWNER_COLUMNS: readonly string[] = ['company_id', 'service_id', 'user_id', 'customer_id']

/** Tables that belong to the installation and not to an account. */
export const UNOWNED_TABLES: Readonly<Record<string, string>> = {
  'access.change': 'the order of changes that all processes of a region follow',
  'access.guard': 'the processes of a region',
  'access.revision': 'one number for the whole region',
  'access.revoked_session': 'ids of ended sessions, without their owners',
  'access.signing_key': 'the published keys of the installation',
  'access.switch': 'the state of the region',
  'devices.line': 'one number for the whole region',
  'directory.region_switch': 'the state of each region',
  'mail.outbox': 'sealed mails in transit, found by id and sent only to their recipient',
  'registry.field_type': 'the field types of the platform',
  'registry.revision': 'one number for the whole region',
  'vault.garbage': 'unreferenced objects; their keys are random',
  'sessions.registration': 'e-mail addresses without an account',
}

/** Other columns that identify the owner, by `table.column`. */
export const OTHER_OWNERS: Readonly<Record<string, string>> = {
  'access.client.client_id': 'the client of a token; its row names the owner',
  'account.account.id': 'an account is its own owner',
  'account.account.email_hash': 'a login identifies the account by the address alone',
  'directory.account.email_hash': 'the directory maps an address to its account',
  'directory.account.share_code': 'the directory maps a share code to its account',
  'directory.client.client_id': 'a login identifies the client by its id alone',
  'grants.grant.id': 'random, and known only from a token signed for the owner',
  'grants.token.sha256': 'the hash of a secret that only the owner has',
  'login.registration.token_hash': 'the hash of a secret that only the registering device has',
  'login.session_token.hash': 'the hash of a secret that only the owner has',
}

const TIDIES = 'deletes expired rows of all owners'
const FINISHES = 'resumes interrupted work of all owners'
const REACHES_ALL = 'a change of a service affects all its customers in this region'
const REWRAPS = 're-encrypts the rows of all owners under a new key'

/** Statements that read or write rows of all owners, by file and function. */
export const ACROSS_OWNERS: Readonly<Record<string, string>> = {
  'apps/front-door/src/modules/directory/store/accounts.ts#findKdfAfter':
    'pretended accounts draw their parameters from all accounts',
  'apps/front-door/src/modules/directory/store/clients.ts#listClients':
    'a region reads the clients of all its accounts',
  'apps/front-door/src/modules/directory/store/known-sources.ts#deleteExpiredSources': TIDIES,
  'apps/region/src/modules/account/store/delegates.ts#takeUntold':
    'a chore tells of delegates of all companies that an earlier release has added',
  'apps/region/src/modules/clients/pending-changes/store/pending-changes.ts#listStartedBefore': FINISHES,
  'apps/region/src/modules/clients/store/clients.ts#listAllClients': 'commands of an operator',
  'apps/region/src/modules/connections/customer-side/store/connections.ts#deleteOldOpenings': TIDIES,
  'apps/region/src/modules/connections/customer-side/store/connections.ts#lockOfService': REACHES_ALL,
  'apps/region/src/modules/connections/customer-side/store/requests.ts#deleteLapsedRequests': TIDIES,
  'apps/region/src/modules/connections/customer-side/store/requests.ts#deleteRequestsOfService': REACHES_ALL,
  'apps/region/src/modules/connections/service-side/store/requests.ts#deleteOldRequests': TIDIES,
  'apps/region/src/modules/connections/customer-side/store/flow-links.ts#deleteOldAnnounced': TIDIES,
  'apps/region/src/modules/connections/service-side/store/flow-links.ts#listLinkObjects': 'commands of an operator',
  'apps/region/src/modules/connections/service-side/store/slots.ts#listSlotObjects': 'commands of an operator',
  'apps/region/src/modules/connections/service-side/store/slots.ts#releaseExpiredFiles': TIDIES,
  'apps/region/src/modules/connections/service-side/store/taken-files.ts#deleteOldTakenFiles': TIDIES,
  'apps/region/src/modules/messages/customer-side/store/broadcasts.ts#deleteEndedBroadcasts': TIDIES,
  'apps/region/src/modules/messages/customer-side/store/threads.ts#deleteKeptThreads': TIDIES,
  'apps/region/src/modules/messages/service-side/store/threads.ts#deleteKeptThreads': TIDIES,
  'apps/region/src/modules/feed/quarantine/store/quarantined-events.ts#countQuarantined':
    'figures of a whole region, without owners',
  'apps/region/src/modules/feed/quarantine/store/quarantined-events.ts#deleteOldQuarantined': TIDIES,
  'apps/region/src/modules/feed/quarantine/store/quarantined-events.ts#endQuarantined': 'commands of an operator',
  'apps/region/src/modules/feed/quarantine/store/quarantined-events.ts#findQuarantined': 'commands of an operator',
  'apps/region/src/modules/feed/quarantine/store/quarantined-events.ts#listQuarantined': 'commands of an operator',
  'apps/region/src/modules/feed/quarantine/store/quarantined-events.ts#lockQuarantined': 'commands of an operator',
  'apps/region/src/modules/documents/customer-side/store/proofs.ts#deleteOldCodes': TIDIES,
  'apps/region/src/modules/documents/customer-side/store/proofs.ts#deleteOldKeptProofs': TIDIES,
  'apps/region/src/modules/documents/customer-side/store/proofs.ts#deleteOldProofs': TIDIES,
  'apps/region/src/modules/documents/service-side/store/documents.ts#listDue':
    'cancellations of all owners take effect by time',
  'apps/region/src/modules/documents/service-side/store/documents.ts#listUnfinished': TIDIES,
  'apps/region/src/modules/documents/service-side/store/prepared-seals.ts#deleteOldSeals': TIDIES,
  'apps/region/src/modules/feed/queues/store/backlogs.ts#measure': 'figures of a whole region, without owners',
  'apps/region/src/modules/feed/store/channels.ts#deleteListeners': TIDIES,
  'apps/region/src/modules/feed/store/heads.ts#takeDueHeads': 'a worker leases due work of all owners',
  'apps/region/src/modules/feed/queues/store/queues.ts#isAnyDue': 'a worker leases due work of all owners',
  'apps/region/src/modules/feed/queues/store/queues.ts#lockDueAlerts': 'a worker leases due work of all owners',
  'apps/region/src/modules/feed/queues/store/queues.ts#lockDueQueues': 'a worker leases due work of all owners',
  'apps/region/src/modules/feed/store/pages.ts#deleteOldPages': TIDIES,
  'apps/region/src/modules/feed/queues/store/subscriptions.ts#deletePassedSubscriptions': TIDIES,
  'apps/region/src/modules/runs/customer-side/store/files.ts#deleteUnusedFiles': TIDIES,
  'apps/region/src/modules/runs/customer-side/store/files.ts#listRunFileObjects': 'commands of an operator',
  'apps/region/src/modules/runs/service-side/store/files.ts#deleteUnusedFiles': TIDIES,
  'apps/region/src/modules/runs/service-side/store/files.ts#deleteUnusedSources': TIDIES,
  'apps/region/src/modules/runs/service-side/store/files.ts#listRunObjects': 'commands of an operator',
  'apps/region/src/modules/runs/service-side/store/runs.ts#takeReminders':
    'a chore announces the deletions of all companies that are due',
  'apps/region/src/modules/runs/service-side/store/runs.ts#listDueRuns':
    'the data of runs of all owners is deleted by time',
  'apps/region/src/modules/grants/store/grants.ts#deleteExpiredGrants': TIDIES,
  'apps/region/src/modules/grants/store/grants.ts#deleteExpiredTokens': TIDIES,
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
  'apps/region/src/modules/services/store/logs.ts#deleteOldLogs': TIDIES,
  'apps/region/src/modules/documents/customer-side/store/objects.ts#listCopyObjects': 'commands of an operator',
  'apps/region/src/modules/documents/service-side/store/objects.ts#listDocumentObjects': 'commands of an operator',
  'apps/region/src/modules/twofa/customer-side/store/cards.ts#deleteOldCards': TIDIES,
  'apps/region/src/modules/twofa/service-side/store/challenges.ts#deleteOldChallenges': TIDIES,
  'apps/region/src/modules/flows/store/assets.ts#listAssetObjects': 'commands of an operator',
  'apps/region/src/modules/vault/store/objects.ts#listVaultObjects': 'commands of an operator',
  'apps/region/src/modules/vault/store/shares.ts#pruneShares': TIDIES,
  'apps/region/src/modules/vault/store/stored-bytes.ts#listUnchecked': 'compares the counters of all owners',
  'apps/region/src/modules/vault/store/values.ts#listExpiredAttestations': 'verifications of all owners expire by time',
  'apps/region/src/modules/vault/verification/store/verifications.ts#pruneVerifications': TIDIES,
  'apps/region/src/modules/webhooks/store/endpoints.ts#findEndpointById': 'commands of an operator',
  'apps/region/src/modules/plugins/store/tokens.ts#listUnderOtherKeys': REWRAPS,
  'apps/region/src/modules/webhooks/store/endpoints.ts#listUnderOtherKeys': REWRAPS,
}
