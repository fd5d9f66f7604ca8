export {
  AUDIENCE,
  type AccessClaims,
  accountOfToken,
  COMMAND_LINE,
  isCommand,
  isFirstParty,
  PERSON_APP,
  PORTAL_WEB,
} from './claims.ts'
export {
  createKeyRing,
  createTokenVerifier,
  type KeyRing,
  type KeyRingOptions,
  type TokenVerifier,
} from './verifier.ts'
