export { AUDIENCE, type AccessClaims, accountOfToken, isFirstParty, PERSON_APP, PORTAL_WEB } from './claims.ts'
export { createTokenVerifier, type TokenVerifier } from './verifier.ts'
