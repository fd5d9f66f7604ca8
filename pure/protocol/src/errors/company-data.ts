import Type from 'typebox'
import { Sha256, Timestamp } from '../wire/scalars.ts'
import { area } from './entry.ts'

/** The data that customers share with a service, and the feed of its changes. */
export const companyDataErrors = area({
  'company_data.no_client': {
    status: 403,
    sentence: 'Not a registered service client',
    remedy: 'Call with the token of a service client (`svc_`); a portal or app session has no service.',
  },
  'company_data.connection_not_found': {
    status: 404,
    sentence: 'There is no such connection',
    remedy: 'Read the list of connections; ended ones are no longer listed.',
  },
  'company_data.file_not_found': {
    status: 404,
    sentence: 'There is no such file',
    remedy: 'Read the connection or run again and follow its `value_url`; the value may be deleted or not be a file.',
  },
  'company_data.file_expired': {
    status: 410,
    sentence: 'This file was shared once and has expired',
    remedy: 'Use the copy you fetched; `content_sha256` lets you check it. To get a new one, ask the customer.',
    details: Type.Object({ content_sha256: Sha256, expired_at: Timestamp }),
  },
  'company_data.ack_boundary_invalid': {
    status: 400,
    sentence: 'The boundary is not a message that the person sent on this connection',
    remedy: 'Send the id of a message received on this connection, not one of your own.',
  },
  'company_data.attempt_invalid': {
    status: 400,
    sentence: 'This attempt_id was used with other parameters',
    remedy: 'Repeat a page with exactly its first parameters; use a new `attempt_id` for the next page.',
  },
  'company_data.share_code_not_found': {
    status: 404,
    sentence: 'There is no person with this share code',
    remedy: 'Ask the person for the code again; it has 6 letters and digits.',
  },
  'company_data.already_connected': {
    status: 409,
    sentence: 'This person is already connected',
    remedy: 'Use the existing connection; no request is needed.',
  },
  'company_data.connect_request_paused': {
    status: 409,
    sentence: 'This person has refused recently and cannot be asked again yet',
    remedy: 'Ask again after `retry_at`, or let the person connect with your code.',
    details: Type.Object({ retry_at: Timestamp }),
  },
})
