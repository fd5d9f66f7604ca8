import { area } from './entry.ts'

/** Services, their data client, request fields and webhooks. */
export const servicesErrors = area({
  'services.not_found': {
    status: 404,
    sentence: 'There is no such service',
    remedy: 'Compare the id with the list of services of this account.',
  },
  'services.second_factor_required': {
    status: 403,
    sentence: 'This service requires a login with a second factor',
    remedy:
      'Switch on one-time codes for your own account at `POST /api/account/2fa` and log in with one. A person may sign a ' +
      'challenge with a trusted device instead.',
  },
  'services.key_invalid': {
    status: 400,
    sentence: 'The public key or the wrapped private key cannot be used',
    remedy:
      'Send `public_key` as base64 DER of an RSA-2048 key that no other service has, and `encrypted_private_key` with ' +
      '`iter` 100000, `salt`, `iv` and `data`.',
  },
  'services.share_code_invalid': {
    status: 400,
    sentence: 'The share code contains invalid characters or has an invalid length',
    remedy: 'Use 1 to 8 upper-case letters and digits.',
  },
  'services.share_code_taken': {
    status: 409,
    sentence: 'Another of your services has this share code',
    remedy: 'Choose another code, or change the other service first.',
  },
  'services.admin_email_invalid': {
    status: 400,
    sentence: 'The admin e-mail is missing or not an e-mail address',
    remedy: 'Send `admin_email` with an address that is read: alerts about this service go there.',
  },
  'services.audience_b2b_only': {
    status: 403,
    sentence: 'This service connects with companies only',
    remedy: 'Connect with a company account.',
  },
  'services.client_exists': {
    status: 409,
    sentence: 'The service already has its data client',
    remedy: 'Use the existing client; regenerate its secret if it is lost.',
  },
  'services.client_not_found': {
    status: 404,
    sentence: 'The service has no data client',
    remedy: 'Register one at `POST /api/services/{id}/client`.',
  },
  'services.client_redirect_uri_invalid': {
    status: 400,
    sentence: 'The redirect URI of the data client cannot be used',
    remedy: 'Use https, or http on loopback; omit it when no authorization code is needed.',
  },
  'services.config_conflict': {
    status: 409,
    sentence: 'The configuration was published by another caller since you read it',
    remedy: 'Read it again, apply your change to the new state and publish with the new `config_token`.',
  },
  'services.request_field_invalid': {
    status: 400,
    sentence: 'The request fields contradict each other and were not published',
    remedy: '`error` names the reason; for example, a field that is shared once cannot be required to stay connected.',
  },
  'services.request_field_slug_invalid': {
    status: 400,
    sentence: 'The slug of a request field contains invalid characters or has an invalid length',
    remedy: 'Start with a lower-case letter; then letters, digits and `_`, at most 64 characters.',
  },
  'services.request_field_slug_duplicate': {
    status: 400,
    sentence: 'Two request fields have the same slug',
    remedy: 'Give every request field its own slug.',
  },
  'services.request_field_type_invalid': {
    status: 400,
    sentence: 'A request field has a type that cannot be requested',
    remedy: 'Use a type of `GET /api/contact-field-types`; choice types need options.',
  },
  'services.request_field_type_locked': {
    status: 409,
    sentence: 'The type of a published request field, and whether it is shared once, never change',
    remedy: 'Publish once without the field; then publish a new field without the old id.',
  },
  'services.request_field_plugin_invalid': {
    status: 400,
    sentence: 'A plugin request field cannot be used',
    remedy:
      '`error` names the reason; such a field is shared once and needs a known plugin with a field type that has no ' +
      'required inputs.',
  },
  'services.webhook_not_found': {
    status: 404,
    sentence: 'The service has no such webhook',
    remedy: 'Compare the id with the list of webhooks of the service.',
  },
  'services.webhook_url_invalid': {
    status: 400,
    sentence: 'The webhook address is not an http or https address with a host',
    remedy: 'Send an absolute `https://` (or `http://`) address, without user name and password.',
  },
  'services.webhook_invalid': {
    status: 400,
    sentence: 'A setting of the webhook has an unknown value',
    remedy: 'Compare `events`, `format` and `auth_type` with the values in the API reference.',
  },
  'services.webhook_auth_invalid': {
    status: 400,
    sentence: 'The webhook lacks a secret or header that its `auth_type` requires',
    remedy:
      'Send the secret of the chosen `auth_type`; a custom header must not be Host, `Content-*`, `webhook-*` or one of ' +
      'the platform. A mask keeps the stored secret only while it matches: read the webhook again.',
  },
  'services.webhook_limit': {
    status: 409,
    sentence: 'The service has reached its limit of 10 webhooks',
    remedy: 'Delete one of them first, or let one endpoint serve several purposes.',
  },
  'services.webhook_secret_limit': {
    status: 409,
    sentence: 'Nine earlier signing secrets of the webhook are still valid',
    remedy:
      'Wait until the grace of one has ended, or regenerate with `grace_seconds` 0, which ends all earlier ones at once.',
  },
})
