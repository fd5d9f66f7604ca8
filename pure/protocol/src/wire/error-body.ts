import Type, { type Static } from 'typebox'

/** The body of every refusal outside of `/oauth2`; a key may add members of its own. */
export const ErrorBody = Type.Object(
  {
    error: Type.String({ description: 'What happened, for humans. Do not compare it.' }),
    error_key: Type.String({ description: 'Stable; the thing to branch on.' }),
  },
  { title: 'Error' },
)
export type ErrorBody = Static<typeof ErrorBody>

/** The body of a refusal at `/oauth2/token`, `/oauth2/result` and `/oauth2/revoke`. */
export const OAuthErrorBody = Type.Object(
  {
    error: Type.String({ description: 'The code of RFC 6749.' }),
    error_description: Type.String({ description: 'What happened, for humans. Do not compare it.' }),
    error_key: Type.String({ description: 'Stable; finer than the code.' }),
  },
  { title: 'OAuthError' },
)
export type OAuthErrorBody = Static<typeof OAuthErrorBody>
