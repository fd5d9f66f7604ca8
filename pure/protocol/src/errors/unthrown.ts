import type { ErrorAreaName } from './areas.ts'
import type { ErrorKey } from './catalog.ts'

/**
 * Keys of the catalog that are not thrown yet. The change that throws one removes its line; the contract test names it.
 */
export const unthrownKeys = {
  generic: [],
  oauth: [],
  session: [],
  account: ['account.counterparty_deleted'],
  services: [],
  'oauth-apps': [],
  'company-connections': [],
  'company-data': [],
  'contact-data': [],
  documents: [],
  messages: [],
  twofa: [],
  keys: [],
  flows: [
    'flows.version_changed',
    'flows.bindings_invalid',
    'flows.no_counterparty',
    'flows.connection_not_found',
    'flows.tag_values_invalid',
    'flows.tag_values_stale',
    'flows.source_files_invalid',
    'flows.source_user_invalid',
    'flows.run_not_found',
    'flows.run_not_awaiting',
    'flows.run_closed',
    'flows.not_your_turn',
    'flows.answer_invalid',
    'flows.answer_party_missing',
    'flows.answer_party_invalid',
    'flows.answer_file_too_large',
    'flows.definition_invalid',
    'flows.not_generatable',
    'flows.generation_failed',
    'flows.generate_inputs_mismatch',
    'flows.source_pdf_invalid',
    'flows.no_document',
  ],
  plugins: [
    'plugins.not_found',
    'plugins.url_invalid',
    'plugins.body_invalid',
    'plugins.duplicate',
    'plugins.in_use',
    'plugins.builtin_unknown',
    'plugins.builtin_token_locked',
  ],
  forwarder: [
    'plugin.pass_invalid',
    'plugin.not_in_pass',
    'plugin.key_changed',
    'plugin.request_invalid',
    'plugin.not_found',
    'plugin.busy',
    'plugin.rate_limited',
    'plugin.not_responding',
    'plugin.unavailable',
  ],
} as const satisfies Record<ErrorAreaName, readonly ErrorKey[]>

/** Keys that are thrown although no route documents them yet. The operation that documents one removes it here. */
export const keysAheadOfRoutes = ['flows.next_node_invalid'] as const satisfies readonly ErrorKey[]
