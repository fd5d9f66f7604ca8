import Type from 'typebox'
import { capabilities } from '../wire/capabilities.ts'
import { area } from './entry.ts'

/** Errors that any route can answer. */
export const genericErrors = area({
  'request.invalid': {
    status: 400,
    sentence: 'The request does not have the expected shape',
    remedy: 'Read `details`: each entry names the member and what was expected there.',
    details: Type.Object({
      details: Type.Array(Type.Object({ path: Type.String(), message: Type.String() })),
    }),
  },
  'auth.token_missing': {
    status: 401,
    sentence: 'The request carries no access token',
    remedy: 'Send `Authorization: Bearer <access token>`, with a token from `POST /oauth2/token` at the front door.',
  },
  'auth.token_invalid': {
    status: 401,
    sentence: 'The access token is not valid',
    remedy: 'Request a new token; it may have been revoked, or belong to another installation.',
  },
  'auth.expired': {
    status: 401,
    sentence: 'The access token has expired',
    remedy: 'Request a new token; they live 3600 seconds.',
  },
  'auth.client_endpoint_forbidden': {
    status: 403,
    sentence: 'Client not authorized for this endpoint',
    remedy:
      'Check that the path is meant for this kind of client and that the client was registered after the path was added. ' +
      'An account client that lacks a capability finds it in `required_capability`: grant it in the portal.',
    details: Type.Object({
      required_capability: Type.Optional(
        Type.Enum([...capabilities], { description: 'For account clients: a capability that opens the path.' }),
      ),
    }),
  },
  'region.rebase_required': {
    status: 421,
    sentence: 'This request belongs to another base address',
    remedy: 'Repeat the request once at the address in `api_url`; a second 421 is an error, not a loop.',
    details: Type.Object({ api_url: Type.String({ examples: ['https://eu.sealpost.example'] }) }),
  },
  'request.not_found': {
    status: 404,
    sentence: 'There is no resource at this address',
    remedy: 'Compare method and path with the API reference.',
  },
  'request.method_not_allowed': {
    status: 405,
    sentence: 'This address does not support this method',
    remedy: 'Use one of the methods in the `Allow` header.',
  },
  'request.too_large': {
    status: 413,
    sentence: 'The request body is too large',
    remedy:
      'Send at most what `error` names: 4 MiB, or 64 MiB where files and decisions are sent; a field of files has its own ' +
      'limit. See docs/limits.md.',
  },
  'request.unsupported_media_type': {
    status: 415,
    sentence: 'The request body has an unsupported media type',
    remedy: 'Send `application/json`, or a form at `/oauth2/*`.',
  },
  'rate.limited': {
    status: 429,
    oauthError: 'temporarily_unavailable',
    sentence: 'Too many requests',
    remedy: 'Wait the seconds in `Retry-After`; the `RateLimit` header shows what is left.',
  },
  'rate.unavailable': {
    status: 503,
    sentence: 'Logins are refused because the login limit cannot be checked right now',
    remedy: 'Try again in a few seconds.',
    retryAfterSeconds: 5,
  },
  'platform.busy': {
    status: 503,
    sentence: 'The platform is busy and wrote nothing',
    remedy: 'Repeat the request after the seconds in `Retry-After`.',
    retryAfterSeconds: 1,
  },
  'idempotency.conflict': {
    status: 422,
    sentence: 'This Idempotency-Key was used with another request',
    remedy: 'Use a new key for a new request; repeat a request with its own key and the same body.',
  },
  'idempotency.in_progress': {
    status: 409,
    sentence: 'The first request with this Idempotency-Key is still running',
    remedy: 'Repeat after a moment; the answer of the first request is then returned.',
  },
  'db.writes_paused': {
    status: 503,
    sentence: 'Saving is paused; nothing was written',
    remedy: 'Repeat the same call after the seconds in `Retry-After`.',
    retryAfterSeconds: 30,
  },
  'platform.out_of_order': {
    status: 503,
    sentence: 'The region is being rebuilt; the request was not processed',
    remedy: 'Repeat the same call after the seconds in `Retry-After`.',
    retryAfterSeconds: 300,
  },
  'region.unreachable': {
    status: 503,
    sentence: 'The other region did not answer in time',
    remedy: 'Repeat the same call; with the same Idempotency-Key it answers the outcome of the first attempt.',
    retryAfterSeconds: 5,
  },
  'platform.internal_error': {
    status: 500,
    sentence: 'An internal error occurred',
    remedy: 'Repeat the call later; if it persists, report the `X-Request-Id` of the answer.',
  },
})
