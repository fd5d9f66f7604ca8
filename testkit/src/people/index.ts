export { APP_ORIGIN, TEST_KDF } from './app-origin.ts'
export { askToken, type Calls, callsWith, clientCalls, keyOf } from './client-calls.ts'
export {
  contactPath,
  dataUri,
  invalidAt,
  JPEG_START,
  photoEnvelope,
  refused,
  sealTo,
  sealToSelf,
} from './contact-data.ts'
export { openFileCopy, underOneTimeKey } from './contract-files.ts'
export { type ConnectedUser, connectNewUser } from './connected.ts'
export { dataClientOf, makeService, newCompany, serviceBody, type ServiceWish, type TestCompany } from './companies.ts'
export { type Answer, bodyOf, call, exchangeRaw, type Sent, type SessionAnswer } from './call.ts'
export { enroll } from './enroll.ts'
export { base32Bytes, enableCodes, oneTimeCode } from './one-time-codes.ts'
export { type Owner, ownerOf } from './owners.ts'
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
  tryLogIn,
  type UserType,
} from './people.ts'
export { addService, newServiceKey, openServiceKey, type TestService, type TestServiceKey } from './services.ts'
export { addDevice, DEVICES, type TrustedDevice } from './trusted-device.ts'
export { logOutWith, readAccount, type Refreshed, refreshWith } from './sessions.ts'
