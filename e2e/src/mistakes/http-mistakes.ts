// A table of data.
import {
  challenge,
  credentials,
  data,
  type HttpMistake,
  NOWHERE,
  portal,
  raw,
  tokenRequest,
  withFields,
  withText,
} from './calls.ts'

/** In the order in which a developer meets them. */
export const httpMistakes: readonly HttpMistake[] = [
  {
    mistake: 'a call without `Authorization`',
    key: 'auth.token_missing',
    make: ({ world }) => fetch(`${world.eu.url}/api/company-data/whoami`),
  },
  {
    mistake: 'the client secret as the bearer token',
    key: 'auth.token_invalid',
    make: ({ world, service }) =>
      fetch(`${world.eu.url}/api/company-data/whoami`, {
        headers: { authorization: `Bearer ${service.client.clientSecret}` },
      }),
  },
  {
    mistake: 'a token that was cut off when it was copied',
    key: 'auth.token_invalid',
    make: ({ world, token }) =>
      fetch(`${world.eu.url}/api/company-data/whoami`, { headers: { authorization: `Bearer ${token.slice(0, -8)}` } }),
  },
  {
    mistake: 'a wrong client secret',
    key: 'oauth.bad_client',
    make: tokenRequest((scene) => ({
      grant_type: 'client_credentials',
      ...credentials(scene),
      client_secret: 'x'.repeat(43),
    })),
  },
  {
    mistake: 'a client id that does not exist',
    key: 'oauth.bad_client',
    make: tokenRequest((scene) => ({
      grant_type: 'client_credentials',
      ...credentials(scene),
      client_id: `svc_${'x'.repeat(24)}`,
    })),
  },
  { mistake: 'a token request without `grant_type`', key: 'oauth.invalid_request', make: tokenRequest(credentials) },
  {
    mistake: 'a grant that does not exist',
    key: 'oauth.unsupported_grant_type',
    make: tokenRequest((scene) => ({ grant_type: 'password', ...credentials(scene) })),
  },
  {
    mistake: 'the secret in the form and in `Authorization: Basic`',
    key: 'oauth.invalid_request',
    make: tokenRequest(
      (scene) => ({ grant_type: 'client_credentials', ...credentials(scene) }),
      ({ service: { client } }) => ({
        authorization: `Basic ${Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64')}`,
      }),
    ),
  },
  {
    mistake: 'a refresh token that was used before, or never issued',
    key: 'oauth.invalid_grant',
    make: tokenRequest((scene) => ({
      grant_type: 'refresh_token',
      refresh_token: `eu.${'x'.repeat(43)}`,
      ...credentials(scene),
    })),
  },
  {
    mistake: 'a data call at the front door',
    key: 'region.rebase_required',
    make: ({ world, token }) =>
      fetch(`${world.frontDoor.url}/api/company-data/whoami`, { headers: { authorization: `Bearer ${token}` } }),
  },
  {
    mistake: 'a data call in another region',
    key: 'region.rebase_required',
    make: ({ world, token }) =>
      fetch(`${world.us.url}/api/company-data/whoami`, { headers: { authorization: `Bearer ${token}` } }),
  },
  {
    mistake: 'a data client that manages services',
    key: 'auth.client_endpoint_forbidden',
    make: ({ service }) => service.data('GET', '/api/services'),
  },
  {
    mistake: 'an account client that reads data of customers',
    key: 'auth.client_endpoint_forbidden',
    make: ({ automation }) => automation.calls('GET', '/api/company-data/connections'),
  },
  {
    mistake: 'an account client without the capability',
    key: 'auth.client_endpoint_forbidden',
    make: ({ bare }) => bare.calls('GET', '/api/services'),
  },
  {
    mistake: 'a portal login on the data API',
    key: 'company_data.no_client',
    make: ({ service }) => service.portal('GET', '/api/company-data/connections'),
  },
  { mistake: 'a misspelled path', key: 'request.not_found', make: data('GET', '/conections') },
  { mistake: 'a slash at the end of a path', key: 'request.not_found', make: data('GET', '/connections/') },
  {
    mistake: 'a method that the path does not have',
    key: 'request.method_not_allowed',
    make: data('DELETE', '/connections'),
  },
  {
    mistake: 'a body without `Content-Type: application/json`',
    key: 'request.unsupported_media_type',
    make: raw('POST', '/api/company-data/connect-requests', { 'content-type': 'text/plain' }, '{}'),
  },
  {
    mistake: 'a body that is not JSON',
    key: 'request.invalid',
    make: raw(
      'POST',
      '/api/company-data/connect-requests',
      { 'content-type': 'application/json' },
      "{'share_code': 'A'}",
    ),
  },
  { mistake: 'a required member left out', key: 'request.invalid', make: data('POST', '/connect-requests', {}) },
  {
    mistake: 'a number as a string, or a string as a number',
    key: 'request.invalid',
    make: data('POST', '/connect-requests', { share_code: 7 }),
  },
  { mistake: '`limit=0`', key: 'request.invalid', make: data('GET', '/connections?limit=0') },
  {
    mistake: 'paging with an offset over 10,000',
    key: 'request.invalid',
    make: data('GET', '/connections?offset=20000'),
  },
  { mistake: 'a made-up cursor', key: 'request.invalid', make: data('GET', '/connections?cursor=page-2') },
  {
    mistake: 'an id of another environment',
    key: 'company_data.connection_not_found',
    make: data('GET', `/connections/${NOWHERE}`),
  },
  {
    mistake: 'a service of another company',
    key: 'services.not_found',
    make: ({ service, foreign }) => service.portal('GET', foreign.path),
  },
  {
    mistake: 'a file of a slot that holds none',
    key: 'company_data.file_not_found',
    make: (scene) => data('GET', `/connections/${scene.connectionId}/slots/${NOWHERE}/file`)(scene),
  },
  {
    mistake: '`HEAD` on the change feed',
    key: 'request.method_not_allowed',
    make: async (scene) => withText(await raw('HEAD', '/api/company-data/changes', {})(scene), scene),
  },
  {
    mistake: 'a drain of a webhook that does not exist',
    key: 'services.webhook_not_found',
    make: data('GET', `/changes?webhook_id=${NOWHERE}`),
  },
  {
    mistake: 'an `attempt_id` again with another limit',
    key: 'company_data.attempt_invalid',
    make: async (scene) => {
      await data('GET', '/changes?attempt_id=one&limit=5')(scene)
      return data('GET', '/changes?attempt_id=one&limit=6')(scene)
    },
  },
  {
    mistake: 'an `Idempotency-Key` again with another body',
    key: 'idempotency.conflict',
    make: async ({ service, person }) => {
      const path = '/api/company-data/documents'
      const send = (name: string) =>
        service.data('POST', path, {
          key: 'lease-42',
          body: { kind: 'document', name, payload_kind: 'json', payload: {}, share_code: person.shareCode },
        })
      await send('Lease')
      return send('Other')
    },
  },
  {
    mistake: 'a share code of a service in lower case',
    key: 'services.share_code_invalid',
    make: portal('PUT', '/share-code', { share_code: 'rentals' }),
  },
  {
    mistake: 'an administrator’s address that is none',
    key: 'services.admin_email_invalid',
    make: portal('PUT', '/admin-email', { admin_email: 'desk' }),
  },
  {
    mistake: 'a service with a key that is no RSA-2048 key',
    key: 'services.key_invalid',
    make: ({ service }) =>
      service.portal('POST', '/api/services', {
        body: {
          name: 'A',
          admin_email: 'a@b.example',
          public_key: 'AAAA',
          encrypted_private_key: { iter: 100000, salt: 'AAAA', iv: 'AAAA', data: 'AAAA' },
        },
      }),
  },
  { mistake: 'a second data client', key: 'services.client_exists', make: portal('POST', '/client', {}) },
  {
    mistake: 'a stale `config_token`',
    key: 'services.config_conflict',
    make: portal('PUT', '/request-fields', { config_token: 'from-yesterday', request_fields: [] }),
  },
  {
    mistake: 'a slug with capital letters',
    key: 'services.request_field_slug_invalid',
    make: withFields({ slug: 'firstName', label: 'First name', type: 'text' }),
  },
  {
    mistake: 'the same slug twice',
    key: 'services.request_field_slug_duplicate',
    make: withFields({ slug: 'name', label: 'Name', type: 'text' }, { slug: 'name', label: 'Name', type: 'text' }),
  },
  {
    mistake: 'a type that is not in the registry',
    key: 'services.request_field_type_invalid',
    make: withFields({ slug: 'iban', label: 'IBAN', type: 'iban' }),
  },
  {
    mistake: 'a webhook address with another scheme',
    key: 'services.webhook_url_invalid',
    make: portal('POST', '/webhooks', { url: 'ftp://files.example/hook' }),
  },
  {
    mistake: 'a webhook for an event that does not exist',
    key: 'services.webhook_invalid',
    make: portal('POST', '/webhooks', { url: 'https://hooks.example/', events: ['field_update'] }),
  },
  {
    mistake: 'a webhook with `auth_type: bearer` and no token',
    key: 'services.webhook_auth_invalid',
    make: portal('POST', '/webhooks', { url: 'https://hooks.example/', auth_type: 'bearer' }),
  },
  {
    mistake: 'an invitation for a code that no person has',
    key: 'company_data.share_code_not_found',
    make: data('POST', '/connect-requests', { share_code: 'QQQQQQ' }),
  },
  {
    mistake: 'a message in plain text',
    key: 'contact_data.encryption_required',
    make: (scene) =>
      data('POST', `/connections/${scene.connectionId}/messages`, { body: 'Hello', body_for_service: 'Hello' })(scene),
  },
  {
    mistake: 'a message that is acknowledged up to one’s own',
    key: 'company_data.ack_boundary_invalid',
    make: (scene) => data('POST', `/connections/${scene.connectionId}/messages/read`, { message_id: NOWHERE })(scene),
  },
  {
    mistake: 'a contract for all customers',
    key: 'documents.contract_requires_person',
    make: data('POST', '/documents', {
      kind: 'agreement',
      name: 'Lease',
      payload_kind: 'json',
      payload: {},
      requires_signature: true,
    }),
  },
  {
    mistake: 'a challenge without a share code',
    key: 'twofa.share_code_required',
    make: challenge({ idempotency_key: 'a' }),
  },
  {
    mistake: 'a challenge without an idempotency key',
    key: 'twofa.idempotency_key_required',
    make: challenge({ share_code: 'QQQQQQ' }),
  },
  {
    mistake: 'a challenge for a person who has not enrolled',
    key: 'twofa.person_not_found',
    make: (scene) => challenge({ share_code: scene.person.shareCode, idempotency_key: 'b' })(scene),
  },
  {
    mistake: 'a challenge with a context of a thousand characters',
    key: 'twofa.context_too_long',
    make: challenge({ share_code: 'QQQQQQ', idempotency_key: 'c', context: 'x'.repeat(1000) }),
  },
]
