import type { ErrorTexts } from '../error-text.ts'

const AGAIN = 'Try again in a moment.'
const READ_AGAIN = 'Go back and open it again to see how it stands now.'
const SIGN_IN = 'Sign in again.'
const TELL_US = 'Tell us what you did: this app should not let it happen.'

/** What a person reads when the platform refuses. A test finds a key without a text. */
export const errorsInEnglish: ErrorTexts = {
  'account.counterparty_deleted': {
    what: 'The other side has deleted its account.',
    next: 'What you have stays readable; nothing new can happen here.',
  },
  'account.level_required': { what: 'The company’s plan does not include this.', next: 'Ask the company.' },
  'account.push_not_configured': {
    what: 'This site does not send notifications.',
    next: 'Open the app to see what is new.',
  },
  'account.storage_exceeded': {
    what: 'Your space for files is full.',
    next: 'Delete a file that you no longer need, then try again.',
  },
  'auth.client_endpoint_forbidden': { what: 'This page may not do that.', next: SIGN_IN },
  'auth.expired': { what: 'Your session has ended.', next: SIGN_IN },
  'auth.token_invalid': { what: 'Your session has ended.', next: SIGN_IN },
  'auth.token_missing': { what: 'You are not signed in.', next: SIGN_IN },
  'company_connections.active_contract': {
    what: 'An agreement with this company is still active, so the connection stays.',
    next: 'End the agreement first; then you can end the connection.',
  },
  'company_connections.consent_answered': {
    what: 'This request was answered meanwhile, perhaps on another device.',
    next: 'Nothing was changed. Look at what you share, and change it there.',
  },
  'company_connections.mandatory_missing': {
    what: 'Something that the company needs is missing.',
    next: 'Fill in what is marked as needed.',
  },
  'company_connections.persons_only': { what: 'Only persons can do this.', next: 'Sign in with a personal account.' },
  'company_connections.request_not_found': {
    what: 'This invitation is no longer open.',
    next: 'Ask the company for a new one.',
  },
  'company_connections.source_changed': {
    what: 'Your data changed while you were choosing.',
    next: 'Look at it once more, then try again.',
  },
  'company_data.ack_boundary_invalid': { what: 'These messages are not here any more.', next: READ_AGAIN },
  'company_data.already_connected': {
    what: 'You are already connected to this service.',
    next: 'You find it under “Who sees”.',
  },
  'company_data.connection_not_found': {
    what: 'This connection has ended.',
    next: 'You can connect again with the company’s code.',
  },
  'company_data.file_not_found': { what: 'This file is not here any more.', next: READ_AGAIN },
  'contact_data.encryption_required': { what: 'The value was not sealed, so it was not taken.', next: TELL_US },
  'contact_data.shares_incomplete': {
    what: 'Who follows this value changed while you were saving.',
    next: 'Save again.',
  },
  'db.writes_paused': {
    what: 'Sealpost is being looked after and takes no changes right now.',
    next: 'Reading works. Try to save again in a few minutes.',
  },
  'documents.content_mismatch': {
    what: 'This is not the document that you were shown.',
    next: 'Open it again and read it before you decide.',
  },
  'documents.human_required': {
    what: 'A person has to confirm this on a device of their own.',
    next: 'Add a device that can confirm, then try again.',
  },
  'documents.not_cancellable': { what: 'This can no longer be cancelled.', next: 'Write to the company.' },
  'documents.not_found': { what: 'This document is not here any more.', next: READ_AGAIN },
  'documents.not_signable': { what: 'This document cannot be signed.', next: 'Ask the company for another one.' },
  'documents.seal_failed': { what: 'The document could not be sealed.', next: AGAIN },
  'documents.status_invalid': { what: 'This document has been decided already.', next: READ_AGAIN },
  'documents.too_large': { what: 'The file is too large.', next: 'Choose a smaller one.' },
  'flows.answer_file_too_large': { what: 'The file is too large.', next: 'Choose a smaller one.' },
  'flows.answer_invalid': { what: 'An answer does not fit its question.', next: 'Look at the marked questions.' },
  'flows.answer_party_invalid': { what: 'Who takes part has changed.', next: READ_AGAIN },
  'flows.answer_party_missing': { what: 'Who takes part has changed.', next: READ_AGAIN },
  'flows.generate_inputs_mismatch': { what: 'The answers changed while the document was made.', next: READ_AGAIN },
  'flows.generation_failed': { what: 'The document could not be made.', next: AGAIN },
  'flows.link_not_found': { what: 'This answer does not follow your data any more.', next: READ_AGAIN },
  'flows.next_node_invalid': { what: 'The next step is another one than expected.', next: READ_AGAIN },
  'flows.no_document': { what: 'There is no document yet.', next: 'It is made when everybody has answered.' },
  'flows.not_generatable': { what: 'The document cannot be made yet.', next: READ_AGAIN },
  'flows.definition_invalid': { what: 'This was put together wrongly.', next: 'Tell the company.' },
  'flows.not_your_turn': { what: 'Somebody else has to answer first.', next: 'You will be told when it is your turn.' },
  'flows.run_closed': { what: 'This has ended.', next: READ_AGAIN },
  'flows.run_not_awaiting': { what: 'This was answered already.', next: READ_AGAIN },
  'flows.run_not_found': { what: 'This is not here any more.', next: READ_AGAIN },
  'flows.source_pdf_invalid': { what: 'A PDF cannot be used.', next: 'Choose another file.' },
  'idempotency.conflict': { what: 'This was sent before with other content.', next: READ_AGAIN },
  'idempotency.in_progress': { what: 'This is being done already.', next: AGAIN },
  'keys.not_found': { what: 'A key is missing, so nothing was sealed.', next: READ_AGAIN },
  'messages.not_connected': {
    what: 'You are not connected to this company any more.',
    next: 'Connect again to write.',
  },
  'messages.rate_limited': { what: 'That were many messages in a short time.', next: AGAIN },
  'oauth.access_denied': { what: 'This sign-in was refused.', next: 'Start it again where you came from.' },
  'oauth.connect_no_service': {
    what: 'This app asks for something that it cannot have.',
    next: 'Tell whoever runs the app.',
  },
  'oauth.invalid_request': { what: 'This link is not complete.', next: 'Start again where you came from.' },
  'oauth.unauthorized_client': { what: 'This app may not ask you.', next: 'Tell whoever runs the app.' },
  'platform.busy': { what: 'Sealpost is very busy.', next: AGAIN },
  'platform.internal_error': { what: 'Something went wrong on our side.', next: AGAIN },
  'platform.out_of_order': {
    what: 'Sealpost is being repaired.',
    next: 'Try again later. What you have stored is safe.',
  },
  'profile.company_code_requires_service': {
    what: 'This code names a company, but not one of its services.',
    next: 'Ask for the whole code: it has a slash in the middle.',
  },
  'profile.keys_exist': { what: 'This account has its keys already.', next: SIGN_IN },
  'plugin.not_found': { what: 'The service that fills this field is not there any more.', next: 'Tell the company.' },
  'rate.limited': { what: 'That were many tries in a short time.', next: AGAIN },
  'rate.unavailable': { what: 'Signing in is not possible right now.', next: AGAIN },
  'region.rebase_required': { what: 'Your data lives somewhere else.', next: SIGN_IN },
  'region.unreachable': { what: 'The company’s side cannot be reached.', next: AGAIN },
  'request.invalid': { what: 'Something is not filled in as it should be.', next: 'Look at it once more.' },
  'request.method_not_allowed': { what: 'This app is too old for that.', next: 'Close it and open it again.' },
  'request.not_found': { what: 'This is not here any more.', next: READ_AGAIN },
  'request.too_large': { what: 'That is too large to send.', next: 'Choose a smaller file.' },
  'request.unsupported_media_type': { what: 'This kind of file is not taken.', next: 'Choose another file.' },
  'services.audience_b2b_only': {
    what: 'This service is for companies only.',
    next: 'Ask for the code of a service for persons.',
  },
  'services.key_invalid': { what: 'The key was not accepted.', next: TELL_US },
  'services.not_found': {
    what: 'There is no service with this code.',
    next: 'Compare it letter by letter with what the company gave you.',
  },
  'services.second_factor_required': {
    what: 'This service wants a second proof that it is you.',
    next: 'Confirm with this device, or sign in with a one-time code.',
  },
  'session.expired': { what: 'Your session has ended.', next: SIGN_IN },
  'session.invalid': {
    what: 'The e-mail address, the password or the code is not right.',
    next: 'Check them and try again.',
  },
  'session.not_found': { what: 'This sign-in has already ended.', next: 'There is nothing left to do.' },
  'session.otp_required': {
    what: 'A one-time code is needed too.',
    next: 'Type the code that your authenticator app shows.',
  },
  'twofa.challenge_closed': {
    what: 'This request has ended.',
    next: 'If you still want to sign in there, start again.',
  },
  'twofa.challenge_not_found': {
    what: 'This request is not here any more.',
    next: 'If you still want to sign in there, start again.',
  },
  'twofa.digits_mismatch': {
    what: 'That is not the number on the other screen.',
    next: 'Compare the two digits. If you see none, deny.',
  },
  'twofa.enrollment_not_found': { what: 'This company does not ask you any more.', next: READ_AGAIN },
  'twofa.unavailable': { what: 'The company’s side cannot be reached.', next: AGAIN },
}
