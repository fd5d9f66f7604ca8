import Type from 'typebox'
import { PublishIssue } from '../issues.ts'
import { Uuid } from '../wire/scalars.ts'
import { area } from './entry.ts'

/** Contract flows: publishing, starting a run, taking turns, generating documents. */
export const flowsErrors = area({
  'flows.not_found': {
    status: 404,
    sentence: 'There is no such flow',
    remedy: 'Compare the id with the flows of this service.',
  },
  'flows.not_published': {
    status: 409,
    sentence: 'The flow has no published version',
    remedy: 'Publish the flow in the portal first.',
  },
  'flows.draft_conflict': {
    status: 409,
    sentence: 'The draft was changed by another author since you read it',
    remedy: 'Read the flow again, apply your change to the new draft and send its `draft_token`.',
  },
  'flows.publish_invalid': {
    status: 422,
    sentence: 'The flow has errors and was not published',
    remedy: 'Fix every entry of `issues` with severity error; warnings do not block.',
    details: Type.Object({ issues: Type.Array(PublishIssue) }),
  },
  'flows.import_invalid': {
    status: 400,
    sentence: 'The archive holds no flow that can be imported',
    remedy: 'Send the archive of an export unchanged; `details` names the places of `flow.json` that cannot be read.',
    details: Type.Object({
      details: Type.Array(Type.Object({ path: Type.String(), message: Type.String() })),
    }),
  },
  'flows.asset_not_found': {
    status: 404,
    sentence: 'The flow has no such file',
    remedy: 'Compare the key with the files of the flow.',
  },
  'flows.asset_invalid': {
    status: 400,
    sentence: 'A flow cannot use this file',
    remedy: 'Send a PDF, PNG or JPEG as a data URI, with a name whose ending fits.',
  },
  'flows.asset_limit': {
    status: 409,
    sentence: 'The flow has too many files, or too large ones',
    remedy: 'Delete files that no step and no document needs; one flow has at most 200 files with 40 MB together.',
  },
  'flows.link_not_found': {
    status: 404,
    sentence: 'No answer of yours to this flow can be linked under this slug, or none is',
    remedy: 'Compare the flow and the slug with your runs of this service.',
  },
  'flows.version_changed': {
    status: 409,
    sentence: 'A newer version of the flow was published in the meantime',
    remedy: 'Read the published version again, prepare the run from it and start once more.',
  },
  'flows.bindings_invalid': {
    status: 400,
    sentence: 'Not every party of the flow is bound to a suitable customer',
    remedy: 'Name a connected customer of the right type for each party, by `target`, `targets` or `bindings`.',
  },
  'flows.no_counterparty': {
    status: 400,
    sentence: 'The run has no participant besides your own company',
    remedy: 'Bind at least one party to a connected customer.',
  },
  'flows.connection_not_found': {
    status: 404,
    sentence: 'The target is not connected to this service',
    remedy: 'Use the id of an active connection of this service.',
  },
  'flows.tag_values_invalid': {
    status: 400,
    sentence: 'The text of the flow shows values of the customer, and these are missing or malformed',
    remedy: 'Send `flow_version` and `tag_values` with exactly one entry for `company` and each bound customer.',
  },
  'flows.tag_values_stale': {
    status: 409,
    sentence: 'Values were sealed to a key that is not the current key of their recipient',
    remedy: 'Seal the entries of the recipients in `stale` again, to their current keys.',
    details: Type.Object({ stale: Type.Array(Type.String({ description: '`company` or a user id' })) }),
  },
  'flows.source_files_invalid': {
    status: 400,
    sentence: 'The staged files are not exactly the ones that this run needs; nothing was written',
    remedy: 'Stage the files in `missing`, remove those in `unexpected`, and start again with `flow_version`.',
    details: Type.Object({
      missing: Type.Array(Type.Object({ source_key: Type.String(), for_user_id: Uuid, source_user_id: Uuid })),
      unexpected: Type.Array(Type.String({ description: 'A file handle' })),
    }),
  },
  'flows.source_user_invalid': {
    status: 400,
    sentence: 'The source user is missing or not a connected customer of this service',
    remedy: 'Send `source_user_id` of the customer who shared the file.',
  },
  'flows.run_not_found': {
    status: 404,
    sentence: 'There is no such run',
    remedy: 'Compare the id with the list of runs.',
  },
  'flows.run_not_awaiting': {
    status: 409,
    sentence: 'The run is not waiting for a turn',
    remedy: 'Read the run; it may be generating, waiting for signatures, completed or cancelled.',
  },
  'flows.run_closed': {
    status: 409,
    sentence: 'The run has already ended',
    remedy: 'Read the run: it is completed or cancelled, and stays that way.',
  },
  'flows.not_your_turn': {
    status: 403,
    sentence: 'It is the turn of another party',
    remedy: 'Wait for the event `flow_run_turn`, or read the run to see whose turn it is.',
  },
  'flows.answer_invalid': {
    status: 400,
    sentence: 'An answer does not belong to this step or is malformed',
    remedy: 'Answer only fields of the current step, each once, with `source_private` true or false if sent.',
  },
  'flows.answer_party_missing': {
    status: 400,
    sentence: 'An answer lacks the copy of a party',
    remedy: 'Seal every answer once for each bound user.',
  },
  'flows.answer_party_invalid': {
    status: 400,
    sentence: 'An answer has a copy for a user who is not part of the run',
    remedy: 'Seal only for the users in `bindings` of the run.',
  },
  'flows.answer_file_too_large': {
    status: 400,
    sentence: 'The file exceeds the size limit of this field',
    remedy: 'Reduce the file to the size that the field allows.',
  },
  'flows.next_node_invalid': {
    status: 400,
    sentence: 'The run cannot go to this step from here',
    remedy: 'Send either `next_node`, a successor in the pinned definition, or `leaf: true` where no edge holds.',
  },
  'flows.definition_invalid': {
    status: 422,
    sentence: 'The current step is missing from the definition of the run',
    remedy: 'Cancel the run and start a new one; report this to the operator.',
  },
  'flows.not_generatable': {
    status: 409,
    sentence: 'The run is not at a point where documents are generated',
    remedy: 'Read the run; documents are generated once, at a document leaf, by the party that reached it.',
  },
  'flows.generation_failed': {
    status: 400,
    sentence: 'No document could be generated; the run stays where it is',
    remedy: 'Read the reason in `error`; correct the values and generate again, or cancel the run.',
  },
  'flows.generate_inputs_mismatch': {
    status: 400,
    sentence: 'The uploaded PDFs are not exactly the ones that this run requires',
    remedy: 'Upload one input for each source that the run requires at this leaf, and name them all.',
  },
  'flows.source_pdf_invalid': {
    status: 400,
    sentence: "A participant's PDF cannot be used; the run stays where it is",
    remedy: 'It may be encrypted, damaged or too long. Cancel the run and ask for another file.',
  },
  'flows.no_document': {
    status: 404,
    sentence: 'The run did not produce this document',
    remedy: 'Read the run; only outputs with a matching rule are produced.',
  },
})
