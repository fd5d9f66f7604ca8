export { APP_ORIGIN, TEST_KDF } from './app-origin.ts'
export { askToken, type Calls, callsWith, clientCalls, keyOf, portalOf } from './client-calls.ts'
export { type Answer, call, type Office, openAccountClient, openOffice, type Sent } from './office.ts'
export { base32Bytes, enableCodes, oneTimeCode } from './one-time-codes.ts'
export { newOwner, type Owner, ownerOf, startWithoutLimits } from './owners.ts'
export { softAuthenticator, type SoftAuthenticator, softDeviceKey, type SoftDeviceKey } from './passkeys.ts'
export {
  callSession,
  claimsOf,
  type Credentials,
  deriveVerifier,
  type LoggedIn,
  type LogIn,
  logIn,
  mergeCookies,
  type PeoplePlace,
  prepareSignUp,
  type SessionCall,
  type SignUp,
  signUp,
  type TestUser,
  type Told,
  tryLogIn,
  type UserType,
} from './people.ts'
export { logOutWith, readAccount, type Refreshed, refreshWith } from './sessions.ts'
