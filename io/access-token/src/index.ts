export { AUDIENCE, type AccessClaims } from './claims.ts'
export { createTokenVerifier, type TokenVerifier } from './verifier.ts'
