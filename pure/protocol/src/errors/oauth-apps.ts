import { area } from './entry.ts'

/** Sign-in apps of a company. */
export const oauthAppErrors = area({
  'oauth_apps.not_found': {
    status: 404,
    sentence: 'There is no such sign-in app',
    remedy: 'Compare the id with the list of apps of this account.',
  },
  'oauth_apps.redirect_uri_invalid': {
    status: 400,
    sentence: 'A redirect URI of the app cannot be used',
    remedy:
      'Send at most 50 absolute URIs of at most 2,000 characters, without a fragment: https, or http on loopback.',
  },
  'oauth_apps.claims_invalid': {
    status: 400,
    sentence: 'The list of claims cannot be used',
    remedy: 'Send at most 15 claims with unique names and inline types; `error` names the first problem.',
  },
  'oauth_apps.public_key_required': {
    status: 400,
    sentence: 'The app needs a public key to seal claim values to',
    remedy: 'Make an RSA-2048 pair for the app and send `public_key` with `encrypted_private_key`.',
  },
  'oauth_apps.claim_config_plugin_invalid': {
    status: 400,
    sentence: 'A plugin claim cannot be used',
    remedy: '`error` names the reason; a claim needs a known plugin and a field type without required inputs.',
  },
})
