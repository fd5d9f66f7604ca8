export { createAccountKeys, openPrivateKey, type AccountKeys, createServiceKey } from './keys.ts'
export {
  passwordChangeBody,
  type PasswordChange,
  type PasswordChangeBody,
  registrationBody,
  type Registration,
  type RegistrationBody,
} from './bodies.ts'
export {
  createDeviceKey,
  type DeviceWrap,
  newPasscodeSalt,
  openDeviceSigner,
  openOnDevice,
  passcodeSecret,
  wrapDeviceSigner,
  wrapForDevice,
} from './device-unlock.ts'
export { deriveLogin, type Login, newKdf, type KdfCost } from './login.ts'
export { deriveRecoverableLogin, loginByRecoveryCode, type RecoverableLogin } from './recovery.ts'
export { VaultError } from './vault-error.ts'
export type { KdfParameters, PassphraseWrap, PasswordWrap, ServiceKey, WrapKey, WrapPurpose } from '@sealpost/crypto'
