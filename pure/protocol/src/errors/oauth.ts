import { area } from './entry.ts'

/** Errors of `/oauth2/token`, `/oauth2/result`, `/oauth2/revoke` and `/oauth2/authorize`. */
export const oauthErrors = area({
  'oauth.bad_client': {
    status: 401,
    oauthError: 'invalid_client',
    sentence: 'The client is unknown or its secret is wrong',
    remedy: 'Check `client_id` and `client_secret`; regenerating a secret ends the old one at once.',
  },
  'oauth.invalid_request': {
    status: 400,
    oauthError: 'invalid_request',
    sentence: 'A parameter of the OAuth request is missing, repeated or malformed',
    remedy:
      'Read `error_description`; send the body as `application/x-www-form-urlencoded` and the client secret in ' +
      'one place only.',
  },
  'oauth.invalid_grant': {
    status: 400,
    oauthError: 'invalid_grant',
    sentence: 'The authorization code or refresh token is invalid or has expired',
    remedy: 'Start a new grant. A code works once within 60 seconds, a refresh token until it has been exchanged.',
  },
  'oauth.unauthorized_client': {
    status: 400,
    oauthError: 'unauthorized_client',
    sentence: 'This client may not use this grant',
    remedy: 'Use a grant that the client is registered for; the authorization code needs a `redirect_uri` on it.',
  },
  'oauth.unsupported_grant_type': {
    status: 400,
    oauthError: 'unsupported_grant_type',
    sentence: 'This grant type is not supported',
    remedy: 'Use `client_credentials`, `authorization_code` or `refresh_token`.',
  },
  'oauth.connect_no_service': {
    status: 400,
    oauthError: 'invalid_request',
    sentence: 'The sign-in app has no service that a person could connect to or enrol for',
    remedy: 'Set `service_id` on the app, or use another mode than `connect` and `2fa_enroll`.',
  },
  'oauth.access_denied': {
    status: 403,
    oauthError: 'access_denied',
    sentence: 'The person refused',
    remedy: 'Stop polling, and ask again only when the person starts a new request.',
  },
  'oauth.result_expired': {
    status: 410,
    oauthError: 'invalid_grant',
    sentence: 'This result was already delivered or has lapsed',
    remedy: 'Start again with a fresh `state`; a result can be read once, within 10 minutes.',
  },
})
