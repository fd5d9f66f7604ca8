import type { Untold } from './listed.ts'

const NO_CLIENT = { by: 'no_client' } as const
const HANDED = { listed: 'handed' } as const
const UNSIGNED = { listed: 'unsigned' } as const
const PLUGIN_KEYS = { shownBy: 'client/sdk/src/forwarder/plugin-keys.test.ts' } as const
const READING = { shownBy: 'e2e/src/hostile-server/lies/reading.ts' } as const
const PAGES = { shownBy: 'e2e/src/person/hostile-lies.ts' } as const

/** Of what persons, and the pages of all, are answered. */
export const PERSON_UNTOLD: Untold = [
  ['account.confirm_registration', 'user_type', HANDED],
  ['account.store_profile_keys', 'public_key encrypted_private_key encrypted_private_key.data', NO_CLIENT],
  ['account_security.enable_second_factor', 'otpauth_url', HANDED],
  ['account_security.request_device_options', 'public_key', HANDED],
  ['account_security.request_device_options', 'challenge', PAGES],
  [
    'company_connections.change_mappings',
    `company_profile.*.value services.*.shared.*.value services.*.documents.*.is_private
    services.*.documents.*.metadata.management_url services.*.documents.*.plain_sha256
    services.*.documents.*.signatures.*.content_sha256 services.*.documents.*.signatures.*.plain_sha256
    services.*.documents.*.value services.*.documents.*.content_sha256 documents.*.is_private
    documents.*.metadata.management_url documents.*.plain_sha256 documents.*.signatures.*.content_sha256
    documents.*.signatures.*.plain_sha256 documents.*.value documents.*.content_sha256`,
    HANDED,
  ],
  [
    'company_connections.connect',
    `company_profile.*.value services.*.shared.*.value services.*.documents.*.is_private
    services.*.documents.*.metadata.management_url services.*.documents.*.plain_sha256
    services.*.documents.*.signatures.*.content_sha256 services.*.documents.*.signatures.*.plain_sha256
    services.*.documents.*.value services.*.documents.*.content_sha256 documents.*.is_private
    documents.*.metadata.management_url documents.*.plain_sha256 documents.*.signatures.*.content_sha256
    documents.*.signatures.*.plain_sha256 documents.*.value documents.*.content_sha256`,
    HANDED,
  ],
  [
    'company_connections.create_offer_pass',
    'plugins.*.key_rollovers.*.previous_sha256 plugins.*.key_rollovers.*.public_key',
    PLUGIN_KEYS,
  ],
  [
    'company_connections.create_pass',
    'plugins.*.key_rollovers.*.previous_sha256 plugins.*.key_rollovers.*.public_key',
    PLUGIN_KEYS,
  ],
  [
    'company_connections.decline_consent',
    `company_profile.*.value services.*.public_key services.*.request_fields services.*.shared.*.value
    services.*.mappings services.*.documents.*.is_private services.*.documents.*.metadata.management_url
    services.*.documents.*.plain_sha256 services.*.documents.*.signatures.*.content_sha256
    services.*.documents.*.signatures.*.plain_sha256 services.*.documents.*.value
    services.*.documents.*.content_sha256 documents.*.is_private documents.*.metadata.management_url
    documents.*.plain_sha256 documents.*.signatures.*.content_sha256
    documents.*.signatures.*.plain_sha256 documents.*.value documents.*.content_sha256 device_record`,
    HANDED,
  ],
  [
    'company_connections.list',
    `connections.*.company_profile.*.value connections.*.services.*.shared.*.value
    connections.*.services.*.documents.*.metadata.management_url
    connections.*.services.*.documents.*.signatures.*.content_sha256
    connections.*.services.*.documents.*.signatures.*.plain_sha256 connections.*.documents.*.is_private
    connections.*.documents.*.metadata.management_url connections.*.documents.*.plain_sha256
    connections.*.documents.*.signatures.*.content_sha256
    connections.*.documents.*.signatures.*.plain_sha256 connections.*.documents.*.value
    connections.*.documents.*.content_sha256`,
    HANDED,
  ],
  [
    'company_connections.provide_consent',
    `company_profile.*.value services.*.shared.*.value services.*.documents.*.is_private
    services.*.documents.*.metadata.management_url services.*.documents.*.plain_sha256
    services.*.documents.*.signatures.*.content_sha256 services.*.documents.*.signatures.*.plain_sha256
    services.*.documents.*.value services.*.documents.*.content_sha256 documents.*.is_private
    documents.*.metadata.management_url documents.*.plain_sha256 documents.*.signatures.*.content_sha256
    documents.*.signatures.*.plain_sha256 documents.*.value documents.*.content_sha256`,
    HANDED,
  ],
  [
    'company_connections.read',
    `company_profile.*.value services.*.shared.*.value services.*.documents.*.metadata.management_url
    services.*.documents.*.signatures.*.content_sha256 services.*.documents.*.signatures.*.plain_sha256
    documents.*.is_private documents.*.metadata.management_url documents.*.plain_sha256
    documents.*.signatures.*.content_sha256 documents.*.signatures.*.plain_sha256 documents.*.value
    documents.*.content_sha256`,
    HANDED,
  ],
  [
    'connect_requests.accept',
    `company_profile.*.value services.*.public_key services.*.request_fields services.*.shared.*.value
    services.*.mappings services.*.documents.*.is_private services.*.documents.*.metadata.management_url
    services.*.documents.*.plain_sha256 services.*.documents.*.signatures.*.content_sha256
    services.*.documents.*.signatures.*.plain_sha256 services.*.documents.*.value
    services.*.documents.*.content_sha256 documents.*.is_private documents.*.metadata.management_url
    documents.*.plain_sha256 documents.*.signatures.*.content_sha256
    documents.*.signatures.*.plain_sha256 documents.*.value documents.*.content_sha256 device_record`,
    HANDED,
  ],
  ['contact_data.list', 'items.*.verified_hash items.*.verified_statement', READING],
  ['contact_data.put', 'verified_hash verified_statement', HANDED],
  ['contact_data.read', 'verified_hash verified_statement', READING],
  ['customer_documents.accept', 'metadata.management_url', HANDED],
  [
    'customer_documents.cancel',
    `is_private metadata.management_url plain_sha256 signatures.*.content_sha256
    signatures.*.plain_sha256 content_sha256`,
    HANDED,
  ],
  ['customer_documents.cancel', 'value', UNSIGNED],
  [
    'customer_documents.decline',
    `is_private metadata.management_url plain_sha256 signatures.*.content_sha256
    signatures.*.plain_sha256 content_sha256`,
    HANDED,
  ],
  ['customer_documents.decline', 'value', UNSIGNED],
  [
    'customer_documents.list',
    `items.*.is_private items.*.metadata.management_url items.*.plain_sha256
    items.*.signatures.*.content_sha256 items.*.signatures.*.plain_sha256 items.*.content_sha256`,
    HANDED,
  ],
  ['customer_documents.list', 'items.*.value', UNSIGNED],
  [
    'customer_documents.list_all',
    `items.*.metadata.management_url items.*.signatures.*.content_sha256
    items.*.signatures.*.plain_sha256`,
    HANDED,
  ],
  ['customer_documents.read', 'metadata.management_url signatures.*.content_sha256 signatures.*.plain_sha256', HANDED],
  ['customer_documents.read_file', 'encrypted value', UNSIGNED],
  [
    'customer_documents.sign',
    `is_private metadata.management_url plain_sha256 signatures.*.content_sha256
    signatures.*.plain_sha256 content_sha256`,
    HANDED,
  ],
  ['customer_documents.sign', 'value', UNSIGNED],
  [
    'customer_runs.answer',
    `answers.*.verified_hash answers.*.verified_statement tag_values.public tag_values.private`,
    HANDED,
  ],
  [
    'customer_runs.cancel',
    `bindings participants parties answers.*.value answers.*.verified_hash answers.*.verified_statement
    definition private_slugs tag_values.public tag_values.private source_files`,
    HANDED,
  ],
  [
    'customer_runs.create_pass',
    'plugins.*.key_rollovers.*.previous_sha256 plugins.*.key_rollovers.*.public_key',
    PLUGIN_KEYS,
  ],
  [
    'customer_runs.decline',
    `bindings participants parties answers.*.value answers.*.verified_hash answers.*.verified_statement
    definition private_slugs tag_values.public tag_values.private source_files`,
    NO_CLIENT,
  ],
  [
    'customer_runs.read',
    `answers.*.verified_hash answers.*.verified_statement tag_values.public tag_values.private`,
    HANDED,
  ],
  ['customer_runs.read_document', 'encrypted value', UNSIGNED],
  ['oauth.create_pass', 'plugins.*.key_rollovers.*.previous_sha256 plugins.*.key_rollovers.*.public_key', PLUGIN_KEYS],
  ['oauth.poll_result', 'iss', NO_CLIENT],
  [
    'oauth.read_jwks',
    `keys keys.*.kty keys.*.kid keys.*.alg keys.*.crv keys.*.x keys.*.y keys.*.n keys.*.e`,
    NO_CLIENT,
  ],
  ['oauth.read_openid_configuration', 'issuer token_endpoint jwks_uri', NO_CLIENT],
  ['oauth.read_server_metadata', 'issuer token_endpoint jwks_uri', NO_CLIENT],
  ['oauth.read_user_info', 'mode claims', NO_CLIENT],
  ['oauth.request_token', 'mode', HANDED],
  ['oauth.start_authorization', 'offer.public_key offer.request_fields', HANDED],
  ['registry.change_field', 'usertype', HANDED],
  ['registry.create_field', 'usertype', HANDED],
  ['registry.read_field', 'usertype', NO_CLIENT],
  ['session.open', 'api_url', PAGES],
  ['session.refresh', 'api_url', HANDED],
  ['verifications.confirm', 'is_private value file.content_sha256 verified_hash verified_statement', HANDED],
  ['verifications.start', 'challenge provider_url', HANDED],
]
