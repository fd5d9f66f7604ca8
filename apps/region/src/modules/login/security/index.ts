export { securityMigrations } from './migrations.ts'
export {
  type Approval,
  hasConfirmedSession,
  secondFactorOf,
  takeApprovalChallenge,
  verifyApproval,
  verifyDeviceAssertion,
} from './operations/approvals.ts'
export { forgetLogin } from './operations/deletion.ts'
export { findTrustedDevice, issueChallenge } from './operations/devices.ts'
export { finishEmailChanges } from './operations/email.ts'
export { recoveryProof } from './operations/recovery-proof.ts'
export { rewrapAll } from './operations/rewrap.ts'
export { askSecondFactor, checkSecondFactor, hasSecondFactor } from './operations/second-factor.ts'
export { bindSecurityRoutes } from './routes.ts'
