export { answerLogins, type LoginBusNeeds } from './bus.ts'
export {
  lockCredentialName,
  makeCredential,
  nameOfCredential,
  setCredential,
  setPassword,
  verifyCredential,
} from './credentials.ts'
export { loginMigrations } from './migrations.ts'
export type { LoginNeeds } from './needs.ts'
export { type Login, openSession, type OpenSessionNeeds, proveLogin } from './open-session.ts'
export {
  type Approval,
  type ApprovingDevice,
  bindSecurityRoutes,
  checkSecondFactor,
  forgetLogin,
  hasSecondFactor,
  issueChallenge,
  rewrapAll,
  type RewrapNeeds,
  type SecurityNeeds,
  takeApprovalChallenge,
  verifyDeviceAssertion,
} from './security/index.ts'
export { recoveryProof } from './security/recovery-proof.ts'
export type { CheckSecondFactor, SecondFactorVerdict } from './second-factor.ts'
export {
  endFamilies,
  type Family,
  type FamilyFilter,
  openFamily,
  type OpenSession,
  revokeFamilies,
  spreadRevocations,
} from './sessions.ts'
export { tidyLogins } from './upkeep.ts'
