import type { Untold } from './listed.ts'

const NO_CLIENT = { by: 'no_client' } as const
const HANDED = { listed: 'handed' } as const
const UNSIGNED = { listed: 'unsigned' } as const
const PLUGIN_KEYS = { shownBy: 'client/sdk/src/forwarder/plugin-keys.test.ts' } as const
const READING = { shownBy: 'e2e/src/hostile-server/lies/reading.ts' } as const
const REBASE = { shownBy: 'client/sdk/src/account-client.test.ts' } as const

/** Of what the clients and the portal of a company are answered. */
export const COMPANY_UNTOLD: Untold = [
  ['account_clients.change_capabilities', 'redirect_uri', HANDED],
  ['account_clients.create', 'redirect_uri', HANDED],
  ['account_clients.list', 'items.*.redirect_uri', HANDED],
  ['company_data.drain_changes', 'changes.*.public_key_sha256', HANDED],
  ['company_data.drain_changes', 'changes.*.verified_hash changes.*.verified_statement', READING],
  ['company_data.file_expired', 'content_sha256', HANDED],
  ['company_data.publish_request_fields', 'request_fields', HANDED],
  ['connections.list', 'items.*.values.*.verified_statement', READING],
  ['connections.read', 'values.*.verified_statement', READING],
  ['connections.read_file', 'encrypted value', UNSIGNED],
  ['delegates.change', 'public_key', HANDED],
  ['delegates.hand_over_key', 'public_key', HANDED],
  ['delegates.read', 'public_key', HANDED],
  [
    'documents.change',
    `is_private metadata.management_url plain_sha256 signatures.*.content_sha256
    signatures.*.plain_sha256 content_sha256`,
    HANDED,
  ],
  ['documents.change', 'value', UNSIGNED],
  ['documents.create', 'metadata.management_url signatures.*.content_sha256 signatures.*.plain_sha256', HANDED],
  ['documents.list', 'items.*.metadata.management_url', HANDED],
  [
    'documents.read',
    `is_private metadata.management_url plain_sha256 signatures.*.content_sha256
    signatures.*.plain_sha256 content_sha256`,
    HANDED,
  ],
  ['documents.read', 'value', UNSIGNED],
  ['flow_links.read_file', 'encrypted value', UNSIGNED],
  [
    'flow_runs.answer',
    `answers.*.verified_hash answers.*.verified_statement tag_values.public tag_values.private`,
    HANDED,
  ],
  [
    'flow_runs.cancel',
    `bindings participants parties answers.*.value answers.*.verified_hash answers.*.verified_statement
    definition private_slugs tag_values.public tag_values.private source_files`,
    HANDED,
  ],
  [
    'flow_runs.create_pass',
    'plugins.*.key_rollovers.*.previous_sha256 plugins.*.key_rollovers.*.public_key',
    PLUGIN_KEYS,
  ],
  [
    'flow_runs.read',
    `answers.*.verified_hash answers.*.verified_statement tag_values.public tag_values.private`,
    HANDED,
  ],
  ['flow_runs.read_document', 'encrypted value', UNSIGNED],
  ['flow_runs.read_only_document', 'encrypted value', UNSIGNED],
  ['flow_runs.read_slot_file', 'encrypted value', UNSIGNED],
  [
    'flow_runs.start',
    `answers.*.value answers.*.verified_hash answers.*.verified_statement tag_values.public
    tag_values.private`,
    HANDED,
  ],
  ['flows.add_asset', 'content_sha256', NO_CLIENT],
  ['flows.change', 'definition', NO_CLIENT],
  ['flows.create', 'definition', NO_CLIENT],
  ['flows.import', 'definition', NO_CLIENT],
  ['flows.list_assets', 'items.*.content_sha256', NO_CLIENT],
  ['flows.read', 'definition', NO_CLIENT],
  ['front_door.list_regions', 'items.*.api_url', HANDED],
  ['messages.list', 'items.*.body', HANDED],
  ['oauth_apps.change', 'redirect_uris confidential detached claims_delivery claims public_key', HANDED],
  ['oauth_apps.create', 'redirect_uris confidential detached claims_delivery claims public_key', HANDED],
  [
    'owner_documents.accept',
    `is_private metadata.management_url plain_sha256 signatures.*.content_sha256
    signatures.*.plain_sha256 content_sha256`,
    HANDED,
  ],
  ['owner_documents.accept', 'value', UNSIGNED],
  [
    'owner_documents.decline',
    `is_private metadata.management_url plain_sha256 signatures.*.content_sha256
    signatures.*.plain_sha256 content_sha256`,
    HANDED,
  ],
  ['owner_documents.decline', 'value', UNSIGNED],
  ['owner_documents.read_file', 'encrypted value', UNSIGNED],
  [
    'owner_documents.sign',
    `is_private metadata.management_url plain_sha256 signatures.*.content_sha256
    signatures.*.plain_sha256 content_sha256`,
    HANDED,
  ],
  ['owner_documents.sign', 'value', UNSIGNED],
  ['photos.add', 'content_sha256', HANDED],
  ['photos.list', 'items.*.content_sha256', HANDED],
  ['photos.read', 'content_sha256', HANDED],
  [
    'plugin.key_changed',
    `public_key key_rollovers key_rollovers.*.previous_sha256 key_rollovers.*.public_key`,
    PLUGIN_KEYS,
  ],
  ['plugins.change', 'base_url', HANDED],
  ['plugins.change', 'key_rollovers key_rollovers.*.previous_sha256 key_rollovers.*.public_key', PLUGIN_KEYS],
  ['plugins.create', 'plugin.base_url forwarder_url', HANDED],
  [
    'plugins.create',
    `plugin.key_rollovers plugin.key_rollovers.*.previous_sha256 plugin.key_rollovers.*.public_key`,
    PLUGIN_KEYS,
  ],
  ['plugins.enable_builtin', 'plugin.base_url forwarder_url', HANDED],
  [
    'plugins.enable_builtin',
    `plugin.key_rollovers plugin.key_rollovers.*.previous_sha256 plugin.key_rollovers.*.public_key`,
    PLUGIN_KEYS,
  ],
  ['plugins.list', 'items.*.key_rollovers.*.previous_sha256 items.*.key_rollovers.*.public_key', PLUGIN_KEYS],
  [
    'portal_documents.list',
    `items.*.is_private items.*.metadata.management_url items.*.plain_sha256
    items.*.signatures.*.content_sha256 items.*.signatures.*.plain_sha256 items.*.content_sha256`,
    HANDED,
  ],
  ['portal_documents.list', 'items.*.value', UNSIGNED],
  [
    'portal_documents.read',
    `is_private metadata.management_url plain_sha256 signatures.*.content_sha256
    signatures.*.plain_sha256 content_sha256`,
    HANDED,
  ],
  ['portal_documents.read', 'value', UNSIGNED],
  [
    'portal_runs.read',
    `bindings participants parties answers.*.value answers.*.verified_hash answers.*.verified_statement
    definition private_slugs tag_values.public tag_values.private source_files`,
    HANDED,
  ],
  ['push.list', 'items.*.origin application_server_key', HANDED],
  ['push.subscribe', 'origin', HANDED],
  ['recovery.open_copy', 'encrypted_recovery_key encrypted_recovery_key.data', HANDED],
  ['region.rebase_required', 'api_url', REBASE],
  [
    'service_runs.answer',
    `bindings participants parties answers.*.value answers.*.verified_hash answers.*.verified_statement
    definition private_slugs tag_values.public tag_values.private source_files`,
    NO_CLIENT,
  ],
  [
    'service_runs.cancel',
    `bindings participants parties answers.*.value answers.*.verified_hash answers.*.verified_statement
    definition private_slugs tag_values.public tag_values.private source_files`,
    NO_CLIENT,
  ],
  ['service_runs.create_pass', 'forwarder_url plugins.*.public_key specs', NO_CLIENT],
  [
    'service_runs.create_pass',
    `plugins.*.key_rollovers plugins.*.key_rollovers.*.previous_sha256
    plugins.*.key_rollovers.*.public_key`,
    PLUGIN_KEYS,
  ],
  [
    'service_runs.read',
    `bindings participants parties answers.*.value answers.*.verified_hash answers.*.verified_statement
    definition private_slugs tag_values.public tag_values.private source_files`,
    HANDED,
  ],
  [
    'service_runs.start',
    `bindings participants parties answers.*.value answers.*.verified_hash answers.*.verified_statement
    definition private_slugs tag_values.public tag_values.private source_files`,
    NO_CLIENT,
  ],
  ['services.batch_keys', 'keys', NO_CLIENT],
  ['services.change', 'public_key', HANDED],
  ['services.change_admin_email', 'public_key', HANDED],
  ['services.change_client', 'redirect_uri', HANDED],
  ['services.change_number_matching', 'public_key', HANDED],
  ['services.change_require_2fa', 'public_key', HANDED],
  ['services.change_share_code', 'public_key', HANDED],
  ['services.create_client', 'redirect_uri', HANDED],
  ['services.list_connections', 'items.*.public_key', NO_CLIENT],
  ['services.publish_request_fields', 'request_fields', HANDED],
  ['services.read_client', 'redirect_uri', HANDED],
  ['services.read_published_flow', 'definition', NO_CLIENT],
  ['webhooks.change', 'url encrypt_payload', HANDED],
  ['webhooks.create', 'url encrypt_payload', HANDED],
  ['webhooks.list', 'items.*.url items.*.encrypt_payload', HANDED],
  ['webhooks.pause', 'url encrypt_payload', HANDED],
  ['webhooks.probe', 'url encrypt_payload', HANDED],
  ['webhooks.read', 'url encrypt_payload', HANDED],
  ['webhooks.resume', 'url encrypt_payload', HANDED],
]
