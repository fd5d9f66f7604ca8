import Type, { type Static } from 'typebox'

export type IssueSeverity = 'error' | 'warning'

/** Findings of publishing a flow. Not an HTTP error: issues are members of `flows.publish_invalid` and of warnings. */
export interface IssueEntry {
  readonly severity: IssueSeverity
  /** Set where the severity depends on the place of the finding. */
  readonly otherSeverity?: IssueSeverity
  readonly sentence: string
  readonly remedy: string
}

export const PublishIssue = Type.Object(
  {
    error_key: Type.String(),
    severity: Type.Enum(['error', 'warning']),
    path: Type.String({ description: 'The place in the definition.' }),
    message: Type.String(),
  },
  { title: 'PublishIssue' },
)
export type PublishIssue = Static<typeof PublishIssue>

export const issueCatalog = {
  'flow.entry_invalid': {
    severity: 'error',
    sentence: 'The entry is not a step of the flow',
    remedy: 'Choose the step at which a run begins.',
  },
  'flow.cycle': {
    severity: 'error',
    sentence: 'The steps form a cycle',
    remedy: 'Remove one edge of the cycle; a run only moves forward.',
  },
  'flow.edge_invalid': {
    severity: 'error',
    sentence: 'An edge begins or ends at a step that does not exist',
    remedy: 'Connect the edge to existing steps or remove it.',
  },
  'flow.leaf_invalid': {
    severity: 'error',
    sentence: 'A final step of a document flow has no output document or no language party',
    remedy: 'Add at least one output document and choose the party whose language decides.',
  },
  'flow.no_default_edge': {
    severity: 'error',
    otherSeverity: 'warning',
    sentence: 'A step can be reached at which no outgoing edge applies',
    remedy: 'Add an edge without a condition. This is only a warning where the flow may also end at that step.',
  },
  'flow.node_unreachable': {
    severity: 'warning',
    sentence: 'No path leads to this step',
    remedy: 'Connect the step or remove it.',
  },
  'party.key_invalid': {
    severity: 'error',
    sentence: 'The key of a party has an invalid format',
    remedy: 'Start with a lower-case letter; then letters, digits and `_`. `signature` is reserved.',
  },
  'party.owner_invalid': {
    severity: 'error',
    sentence: 'A flow with typed parties needs exactly one owner',
    remedy: 'Make one party the owner and give the others the type person or company.',
  },
  'element.kind_invalid': {
    severity: 'error',
    sentence: 'An element has an unknown kind',
    remedy: 'Use field, text, image or plugin.',
  },
  'field.slug_duplicate': {
    severity: 'error',
    sentence: 'A slug is used twice, or is also the key of a party',
    remedy: 'Give every field its own slug.',
  },
  'field.type_invalid': {
    severity: 'error',
    sentence: 'A field has a type that cannot be requested in a flow',
    remedy: 'Use a requestable type, or select and multiselect with options.',
  },
  'field.default_not_allowed': {
    severity: 'error',
    sentence: 'This field cannot have a default, minimum or maximum',
    remedy: 'Remove them from files, choices and fields that must be linked; bounds need a number or date field.',
  },
  'field.default_type_mismatch': {
    severity: 'error',
    sentence: 'The default has another type than its field',
    remedy: 'Use an expression that evaluates to the type of the field.',
  },
  'field.bound_type_mismatch': {
    severity: 'error',
    sentence: 'A minimum or maximum has another type than its field',
    remedy: 'Set bounds on number and date fields only, with the type of the field.',
  },
  'field.ref_not_answerable': {
    severity: 'error',
    sentence: 'A default or bound reads a value that is not available when the step is shown',
    remedy: 'Read only fields of this step or of steps before it.',
  },
  'field.expr_too_deep': {
    severity: 'error',
    sentence: 'A default or bound is nested too deeply or too large',
    remedy: 'Split it with constants; 64 levels and 2000 parts are allowed.',
  },
  'condition.invalid': {
    severity: 'error',
    sentence: 'A condition is malformed or names an unknown field',
    remedy: 'Open the condition and choose field, comparison and value again.',
  },
  'constant.key_invalid': {
    severity: 'error',
    sentence: 'The key of a constant has an invalid format',
    remedy: 'Start with a lower-case letter; then letters, digits and `_`.',
  },
  'constant.key_duplicate': {
    severity: 'error',
    sentence: 'The key of a constant is also the key of a field or of another constant',
    remedy: 'Give the constant its own key.',
  },
  'constant.ref_unknown': {
    severity: 'error',
    sentence: 'A constant reads something that does not exist in the flow',
    remedy: 'Point the reference at a field or constant of this flow.',
  },
  'constant.cycle': {
    severity: 'error',
    sentence: 'Constants depend on each other in a cycle',
    remedy: 'Remove one of the references.',
  },
  'constant.ref_not_answerable': {
    severity: 'error',
    sentence: 'A constant is used before everything it reads is answered',
    remedy: 'Use it later in the flow, or read earlier answers only.',
  },
  'constant.shown_on_unknown_node': {
    severity: 'error',
    sentence: 'A constant is shown on a step that does not exist',
    remedy: 'Choose existing steps.',
  },
  'constant.shown_on_not_computable': {
    severity: 'error',
    sentence: 'A constant is shown on a step at which it cannot be computed yet',
    remedy: 'Show it only on steps at which everything it reads is answered.',
  },
  'constant.type_mismatch': {
    severity: 'error',
    sentence: 'The expression of a constant does not evaluate to the declared type',
    remedy: 'Change the type, or check operands, branches and the number of arguments.',
  },
  'constant.expr_too_deep': {
    severity: 'error',
    sentence: 'The expression of a constant is nested too deeply or too large',
    remedy: 'Split it into several constants; 64 levels and 2000 parts are allowed.',
  },
  'constant.unused': {
    severity: 'warning',
    sentence: 'The constant is never used',
    remedy: 'Use it, show it on a step, or remove it.',
  },
  'dependency.cycle': {
    severity: 'error',
    sentence: 'Plugin inputs, defaults, bounds and constants depend on each other in a cycle',
    remedy: 'Remove one of the dependencies.',
  },
  'flow_plugin.unknown': {
    severity: 'error',
    sentence: 'The plugin is missing or belongs to another company',
    remedy: 'Choose a plugin of this account.',
  },
  'flow_plugin.field_type_unknown': {
    severity: 'error',
    sentence: 'The plugin has no such field type, or its description was never fetched',
    remedy: 'Refresh the plugin and choose one of its field types.',
  },
  'flow_plugin.input_unwired': {
    severity: 'error',
    sentence: 'A required input of the plugin is not wired',
    remedy: 'Connect the input to a field or constant.',
  },
  'flow_plugin.input_not_answerable': {
    severity: 'error',
    sentence: 'An input of the plugin reads a value that is not answered by then',
    remedy: 'Wire it to a field of this step or of steps before it.',
  },
  'flow_plugin.input_type_mismatch': {
    severity: 'error',
    sentence: 'An input of the plugin is wired to a value of another type',
    remedy: 'Wire number to number, date to date, boolean to boolean; text takes anything.',
  },
  'pdf.unknown_tag': {
    severity: 'warning',
    sentence: 'A tag of the template names nothing that is answered there; it prints empty',
    remedy: 'Correct the tag in the template or add the field.',
  },
  'pdf.asset_missing': {
    severity: 'error',
    sentence: 'A rule names a template that was not uploaded',
    remedy: 'Upload the template or choose another.',
  },
  'pdf.signers_invalid': {
    severity: 'error',
    sentence: 'The list of signers names an unknown party, a party twice, or an unknown action',
    remedy: 'Name each party at most once per document, with sign or accept.',
  },
  'pdf.cancellable_invalid': {
    severity: 'error',
    sentence: 'The member `cancellable` of a document is neither true nor false',
    remedy: 'Write true when a customer may cancel the document in the app; without it, no customer may.',
  },
  'pdf.source_invalid': {
    severity: 'error',
    sentence: 'A rule has no PDF source or more than one',
    remedy: 'Choose exactly one: a template, a field of the flow, or a file that the customer shared.',
  },
  'pdf.source_field_invalid': {
    severity: 'error',
    sentence: 'The source field is not a PDF field of this flow',
    remedy: 'Choose a field of type pdf_document.',
  },
  'pdf.source_connection_invalid': {
    severity: 'error',
    sentence: 'The shared file cannot be a source here',
    remedy: 'Choose a typed customer party and a pdf_document request field that is open to its type.',
  },
  'text.link_invalid': {
    severity: 'error',
    sentence: 'A link has an address that is not allowed',
    remedy: 'Begin it with `https:`, `mailto:` or `tel:`.',
  },
  'text.tag_unknown': {
    severity: 'warning',
    sentence: 'A value tag names an unknown field; it is shown as a dash',
    remedy: 'Correct the tag or add the field.',
  },
} as const satisfies Record<string, IssueEntry>

export type IssueKey = keyof typeof issueCatalog

export function issueEntry(key: IssueKey): IssueEntry {
  return issueCatalog[key]
}
