import { randomBytes } from 'node:crypto'
import type { MatrixCaller } from '../callers.ts'
import type { Examples, Refused } from '../example.ts'
import { authorizeRequest, credentialsOf } from '../sign-in.ts'

/** Long enough to be a verifier; these codes are never exchanged. */
const VERIFIER = 'a'.repeat(43)
const json = { accept: 'application/json' }

export const oauthExamples: Examples = {
  'oauth.request_token': {
    make: ({ world }) => ({
      body: {
        grant_type: 'client_credentials',
        client_id: world.owner.clientId,
        client_secret: world.owner.clientSecret,
      },
    }),
    // A region relays the form without a bearer token.
    answers: ({ caller, place }) => (place === 'front door' ? twoProofs(caller) : undefined),
  },
  'oauth.revoke_token': {
    make: ({ world }) => ({
      body: { token: 'eu.unknown', ...credentialsOf(world.app) },
    }),
    answers: ({ caller }) => twoProofs(caller),
  },
  // Pending is a success with its own status.
  'oauth.poll_result': {
    make: ({ world }) => ({
      body: {
        state: randomBytes(16).toString('base64url'),
        ...credentialsOf(world.app),
      },
    }),
    answers: ({ caller }) => twoProofs(caller) ?? { status: 202, key: undefined },
  },
  // The app of the matrix has no claim of this name: the refusal shows that the caller passed the gates.
  'oauth.create_pass': {
    make: ({ world }) => ({ body: { client_id: world.app.clientId, name: 'quote' } }),
    answers: () => ({ status: 404, key: 'plugin.not_found' }),
  },
  'oauth.start_authorization': {
    make: ({ world }) => ({ query: authorizeRequest(world.app, VERIFIER), headers: json }),
  },
  'oauth.complete_authorization': {
    make: ({ world }) => ({
      body: { ...authorizeRequest(world.app, VERIFIER), decision: 'approve', values: {} },
      headers: json,
    }),
  },
}

/** Any Authorization header counts as a second client authentication. */
function twoProofs({ token }: MatrixCaller): Refused | undefined {
  return token === null ? undefined : { status: 400, key: 'oauth.invalid_request' }
}
