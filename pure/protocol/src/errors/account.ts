import Type from 'typebox'
import { area } from './entry.ts'

/** Account levels, delegates, and the machine clients of an account. */
export const accountErrors = area({
  'account.level_required': {
    status: 403,
    otherStatus: 400,
    oauthError: 'unauthorized_client',
    sentence: 'The account level does not include this',
    remedy:
      'Move the account to at least the level in `required_level`; existing data stays readable meanwhile. With ' +
      '400 at `/oauth2/token` the level no longer includes the data client itself.',
    details: Type.Object({ required_level: Type.Enum(['free', 'basic', 'pro', 'enterprise']) }),
  },
  'account.storage_exceeded': {
    status: 409,
    sentence: 'The stored files of this account exceed the quota of its level',
    remedy: 'Delete files that are no longer needed, or move the account to a higher level.',
  },
  'account.push_not_configured': {
    status: 409,
    sentence: 'This region does not send push messages',
    remedy: 'Use the stream of hints, `GET /api/customer/stream`; the operator can set the VAPID keys of the region.',
  },
  'account.counterparty_deleted': {
    status: 409,
    sentence: 'The other party has deleted their account, so runs with them can only be read',
    remedy: 'Stop writing to the run; read it if needed, and start a new one with another customer.',
  },
  'account.recovery_copy_not_found': {
    status: 404,
    sentence: 'There is no such recovery copy',
    remedy:
      'Compare the id with the list of recovery copies of this account; only the newest copy of a secret is kept.',
  },
  'account_clients.name_invalid': {
    status: 400,
    sentence: 'An account client needs a name',
    remedy: 'Send `name` as text with at least one visible character.',
  },
  'account_clients.capabilities_invalid': {
    status: 400,
    sentence: 'The list of capabilities names an unknown one',
    remedy:
      'Use only `service_management`, `company_profile_fields`, `customer_connections`, `oauth_apps` and ' +
      '`delegate_management`; an empty list grants the baseline only.',
  },
  'account_clients.redirect_uri_invalid': {
    status: 400,
    sentence: 'The redirect URI is malformed',
    remedy: 'Send an absolute URI, or omit `redirect_uri` when the client uses no authorization code.',
  },
  'account_clients.purpose_invalid': {
    status: 400,
    sentence: 'The purpose contains invalid characters or has an invalid length',
    remedy: 'Use 1 to 64 characters of `a-z 0-9 _ . : -`, or omit `purpose`; blank text is not the same as none.',
  },
  'account_clients.purpose_reserved': {
    status: 400,
    sentence: 'This purpose starts with a prefix that is reserved for the platform',
    remedy: 'Choose a purpose that does not start with `crm:` or `shopify:`.',
  },
  'account_clients.purpose_taken': {
    status: 409,
    sentence: 'Another client of this account already has this purpose',
    remedy: 'List the clients and use the one with this purpose, or choose another purpose.',
  },
  'account_clients.purpose_managed': {
    status: 409,
    sentence: 'The platform manages this client, so its capabilities and secret cannot be changed here',
    remedy: 'Use the client unchanged, or delete it; only the operator can make or change managed clients.',
  },
  'account_clients.not_found': {
    status: 404,
    sentence: 'There is no such account client',
    remedy: 'Compare the id with the list of clients of this account; clients of other accounts are never shown.',
  },
  'delegates.not_found': {
    status: 404,
    sentence: 'There is no such delegate',
    remedy: 'Compare the id with the list of delegates of this account; the delegate may have been removed.',
  },
  'delegates.user_not_found': {
    status: 404,
    sentence: 'No account has this share code',
    remedy: 'Ask the user for the code of six characters that the portal or the app shows.',
  },
  'delegates.exists': {
    status: 409,
    sentence: 'This user is already the owner of the account or a delegate',
    remedy: 'List the delegates; to change a role or the services, remove the delegate and add the user again.',
  },
  'profile.keys_exist': {
    status: 409,
    sentence: 'The account already has its keys, and keys never change',
    remedy: 'Read the stored bundle at `GET /api/profile/keys` and use that one.',
  },
  'profile.company_code_requires_service': {
    status: 400,
    sentence: 'A company code alone does not identify a service',
    remedy: 'Add the service code: `COMPANYCODE/SERVICECODE`.',
  },
})
