export { createAccountKeys, openPrivateKey, type AccountKeys } from './account-keys.ts'
export {
  passwordChangeBody,
  type PasswordChange,
  type PasswordChangeBody,
  registrationBody,
  type Registration,
  type RegistrationBody,
} from './bodies.ts'
export { deriveLogin, type Login, newKdf, type KdfCost } from './login.ts'
export { createServiceKey } from './service-key.ts'
export { VaultError } from './vault-error.ts'
export type { KdfParameters, PassphraseWrap, PasswordWrap, ServiceKey, WrapKey } from '@sealpost/crypto'
