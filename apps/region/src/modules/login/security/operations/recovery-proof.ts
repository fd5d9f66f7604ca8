import { refuse } from '@sealpost/protocol'
import { findAccount, type RecoveryProof } from '../../../account/index.ts'
import { CODE_MINUTES, queueMail } from '../../../mail/index.ts'
import type { LoginContext } from '../../context.ts'
import { verifyCredential } from '../../operations/credentials.ts'
import { wrongCode } from '../rules/refusals.ts'
import { issueCode, takeCode } from './mailed-codes.ts'

/** Checks that the owner of an account, beyond the session, knows the password and reads its mails. */
export function recoveryProof(context: LoginContext): RecoveryProof {
  return {
    async sendCode(userId) {
      await context.database.transaction(async (tx) => {
        const account = await findAccount(tx, userId)
        if (account === null) throw refuse('auth.token_invalid')
        const code = await issueCode(context, tx, userId, 'recover')
        const { email: to, language } = account
        const values = { code, minutes: CODE_MINUTES }
        await queueMail(context, tx, { to, template: 'recover_code', values, language })
      })
    },
    async check(userId, { verifier, code }) {
      // The password first: a caller without it learns nothing about the code and uses up none of its tries.
      if (!(await verifyCredential(context, userId, verifier))) throw refuse('session.invalid')
      if ((await takeCode(context, userId, 'recover', code)) === null) throw wrongCode()
    },
  }
}
