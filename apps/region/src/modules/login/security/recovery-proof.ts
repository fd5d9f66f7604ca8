import { refuse } from '@sealpost/protocol'
import { findAccount, type RecoveryProof } from '../../account/index.ts'
import { CODE_MINUTES, queueMail } from '../../mail/index.ts'
import { verifyCredential } from '../credentials.ts'
import type { LoginNeeds } from '../needs.ts'
import { issueCode, takeCode } from './mailed-codes.ts'
import { wrongCode } from './refusals.ts'

/** How the owner of an account proves, on top of the session, to know the password and to read the mails. */
export function recoveryProof(needs: LoginNeeds): RecoveryProof {
  return {
    async sendCode(userId) {
      await needs.database.transaction(async (tx) => {
        const account = await findAccount(tx, userId)
        if (account === null) throw refuse('auth.token_invalid')
        const code = await issueCode(needs, tx, userId, 'recover')
        const { email: to, language } = account
        const values = { code, minutes: CODE_MINUTES }
        await queueMail(needs.mail, tx, { to, template: 'recover_code', values, language })
      })
    },
    async check(userId, { verifier, code }) {
      // The password first: without it nobody learns anything about the code, nor uses up its tries.
      if (!(await verifyCredential(needs, userId, verifier))) throw refuse('session.invalid')
      if ((await takeCode(needs, userId, 'recover', code)) === null) throw wrongCode()
    },
  }
}
