export { AUDIENCE, type AccessClaims, accountOfToken, isFirstParty, PERSON_APP, PORTAL_WEB } from './claims.ts'
export {
  createKeyRing,
  createTokenVerifier,
  type KeyRing,
  type KeyRingOptions,
  type TokenVerifier,
} from './verifier.ts'
