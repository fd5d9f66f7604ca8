export { sessionCommands } from './commands/index.ts'
export { closeAccount } from './commands/lock.ts'
export {
  type Assertion,
  assertionOf,
  type PasskeyAssertion,
  type Proof,
  requireCardId,
  requireChallenge,
  secondFactorOf,
  type SignedProof,
} from './commands/proof.ts'
export { type ClientUses, type OpenAccount, requireOpen, type SessionClient, type SessionContext } from './context.ts'
export type { DeviceStore } from './device-store.ts'
export { keepAccess, type KeptAccess } from './keep-access.ts'
export type { RunStored } from './run-stored.ts'
export { sessionCalls, type SessionCalls } from './session-calls.ts'
export { openTellEnd } from './tell-end.ts'
