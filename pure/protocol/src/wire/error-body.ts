import Type, { type Static } from 'typebox'

/** The body of every refusal outside of `/oauth2`; a key may add members of its own. */
export const ErrorBody = Type.Object(
  {
    error: Type.String({ description: 'Describes the error for humans. Do not compare it.' }),
    error_key: Type.String({ description: 'Stable; branch on it.' }),
  },
  { title: 'Error' },
)
export type ErrorBody = Static<typeof ErrorBody>

/** The body of a refusal at `/oauth2/token`, `/oauth2/result` and `/oauth2/revoke`. */
export const OAuthErrorBody = Type.Object(
  {
    error: Type.String({ description: 'The code of RFC 6749.' }),
    error_description: Type.String({ description: 'Describes the error for humans. Do not compare it.' }),
    error_key: Type.String({ description: 'Stable; finer than the code.' }),
  },
  { title: 'OAuthError' },
)
export type OAuthErrorBody = Static<typeof OAuthErrorBody>
