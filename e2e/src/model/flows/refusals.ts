import type { Dice } from '@sealpost/testkit/dice'

/** The refusals of the runs' routes, without plugins and documents. */
export const REFUSALS = [
  'flows.bindings_invalid',
  'flows.no_counterparty',
  'flows.tag_values_invalid',
  'flows.source_files_invalid',
  'flows.source_user_invalid',
  'flows.connection_not_found',
  'flows.not_found',
  'flows.not_published',
  'flows.version_changed',
  'flows.tag_values_stale',
  'account.counterparty_deleted',
  'contact_data.encryption_required',
  'flows.answer_party_missing',
  'flows.answer_invalid',
  'flows.answer_party_invalid',
  'flows.next_node_invalid',
  'flows.answer_file_too_large',
  'flows.not_your_turn',
  'flows.run_not_awaiting',
  'flows.run_not_found',
  'flows.run_closed',
  'documents.too_large',
]

/** Those of documents. */
export const DOCUMENT_REFUSALS = [
  'flows.generation_failed',
  'flows.generate_inputs_mismatch',
  'flows.source_pdf_invalid',
  'flows.not_generatable',
  'flows.no_document',
  'documents.run_managed',
]

/** One with the wanted key if there is any; otherwise all keys are equally likely, however many acts they have. */
export function pickByKey<Act extends { readonly key: string }>(dice: Dice, acts: readonly Act[], wanted: string): Act {
  const keys = [...new Set(acts.map(({ key }) => key))]
  const key = keys.includes(wanted) ? wanted : dice.pick(keys)
  return dice.pick(acts.filter((act) => act.key === key))
}
