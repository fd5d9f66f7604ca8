import { type SecurityNeeds, issueChallenge, takeApprovalChallenge, verifyDeviceAssertion } from '../login/index.ts'
import type { Approvals } from './consent.ts'

/** The second factor of a consent: a challenge that one of the person's devices signs, good once whatever comes of it. */
export function deviceApprovals(needs: SecurityNeeds): Approvals {
  return {
    async issue(userId) {
      const { challenge } = await issueChallenge(needs, userId, 'approval')
      return challenge
    },
    async verify(userId, challenge, assertion) {
      if (!(await takeApprovalChallenge(needs, userId, challenge))) return false
      return (await verifyDeviceAssertion(needs, userId, { challenge, assertion })) !== null
    },
  }
}
