/** `@sealpost/sdk/crypto`: seals and opens values without a client, for programs that never call the platform. */
export { KeyChangedError, type KeyPins, memoryPins } from './pins.ts'
export {
  AccountKey,
  type AccountKeyFile,
  type SealedValue,
  ServiceKey,
  type WrappedAccountKey,
  type WrappedPrivateKey,
} from './private-keys.ts'
export { fingerprintOf, PublicKey } from './public-key.ts'
export { SealingError, type SealingRefusal } from './sealing-error.ts'
