export { AccountClient, type AuditRecord, type ProfileChange } from './account-client.ts'
export type {
  AccountClientChange,
  AccountClientRecord,
  AccountClients,
  Capability,
  NewAccountClient,
} from './account-clients.ts'
export type { DataClients, DataClientSettings } from './data-clients.ts'
export type { AccountSecurity, TrustedDeviceRecord } from './account-security.ts'
export type { DelegateRecord, Delegates } from './delegates.ts'
export { isSealpostError, NetworkError, SealpostError, UnexpectedAnswerError } from './errors.ts'
export type { ErrorDetails } from './errors.ts'
export type { ErrorDetailsByKey, ErrorKey } from './errors.generated.ts'
export type {
  AccountClientOptions,
  CallOptions,
  ClientCredentials,
  ClientOptions,
  FreshAccess,
  HandedAccess,
  SdkEvent,
  ServiceClientOptions,
} from './options.ts'
export type { RecoveryCopies, RecoveryCopyRecord } from './recovery-copies.ts'
export { ServiceClient } from './service-client.ts'
export type * from './shapes.generated.ts'
export type { AppClaim, NewSignInApp, SignInAppRecord, SignInApps, SignInAppSettings } from './sign-in-apps.ts'
