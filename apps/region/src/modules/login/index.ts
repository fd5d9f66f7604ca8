export type { LoginContext, LoginHooks } from './context.ts'
export { loginMigrations } from './migrations.ts'
export { openLogin } from './module.ts'
export { lockCredentialName, nameOfCredential, setPassword } from './operations/credentials.ts'
export { proveLogin } from './operations/open-session.ts'
export {
  askSecondFactor,
  findTrustedDevice,
  forgetLogin,
  hasConfirmedSession,
  issueChallenge,
  recoveryProof,
  rewrapAll,
  secondFactorOf,
  verifyApproval,
  verifyDeviceAssertion,
} from './security/index.ts'
