import { DIRECTORY } from '@sealpost/bus'
import { instant, type Secret, type UserId } from '@sealpost/kernel'
import { checkEmailAsk } from '@sealpost/protocol'
import { changeEmail as moveEmail, findAccount } from '../../../account/index.ts'
import { CODE_MINUTES, queueMail } from '../../../mail/index.ts'
import type { LoginContext } from '../../context.ts'
import { wrongCode } from '../rules/refusals.ts'
import { listUnfinishedCodes, lockCode, type MailedCode, markDone, removeCode } from '../store/mailed-codes.ts'
import { issueCode, takeCode } from './mailed-codes.ts'
import { provePassword } from './second-factor.ts'

/** The call that confirmed it may still be in progress. */
const IN_PROGRESS_MS = 30_000
const BATCH = 100

/** Mails a code to the new address; to an address that another account has, a notice without a code. */
export async function beginEmailChange(
  context: LoginContext,
  userId: UserId,
  email: string,
  verifier: Secret<string>,
): Promise<void> {
  await provePassword(context, userId, verifier)
  const { is_taken: isTaken } = await context.bus.ask(checkEmailAsk, {
    to: DIRECTORY,
    body: { user_id: userId, email },
  })
  for (;;) {
    const unfinished = await tryToBegin(context, userId, email, isTaken)
    if (unfinished === null) return
    await finishEmailChange(context, unfinished)
  }
}

/** Answers the confirmed change that must be completed first: replacing its code would lose it halfway. */
async function tryToBegin(
  context: LoginContext,
  userId: UserId,
  email: string,
  isTaken: boolean,
): Promise<MailedCode | null> {
  return context.database.transaction(async (tx) => {
    const before = await lockCode(tx, userId, 'email')
    if (before !== null && before.confirmedAt !== null && before.doneAt === null) return before
    // A code is made in both cases; the code of a taken address is never sent.
    const code = await issueCode(context, tx, userId, 'email', email)
    const language = (await findAccount(tx, userId))?.language ?? 'en'
    if (isTaken) await queueMail(context, tx, { to: email, template: 'email_taken', values: {}, language })
    else {
      const values = { code, minutes: CODE_MINUTES }
      await queueMail(context, tx, { to: email, template: 'email_code', values, language })
    }
    return null
  })
}

/** Answers the new address. */
export async function confirmEmailChange(context: LoginContext, userId: UserId, code: string): Promise<string> {
  const found = await takeCode(context, userId, 'email', code)
  const email = found === null ? null : await finishEmailChange(context, found)
  if (email === null) throw wrongCode()
  return email
}

/**
 * The directory assigns the address, then this region stores it. Both can be repeated: by the same code, or by the
 * periodic tidying after a crash. Null when another account got the address first, and a mail says so.
 */
async function finishEmailChange(context: LoginContext, confirmed: MailedCode): Promise<string | null> {
  const { userId, email, doneAt } = confirmed
  if (email === null) return null
  if (doneAt !== null) return email
  const before = await context.database.read((read) => findAccount(read, userId))
  if (before === null) return null
  const { language } = before
  const isMoved = await moveEmail(context, userId, email, async (tx) => {
    if (!(await markDone(tx, confirmed, context.clock.now()))) return false
    if (before.email === email) return true
    await queueMail(context, tx, { to: before.email, template: 'email_changed', values: { email }, language })
    return true
  })
  if (isMoved) return email
  await context.database.transaction(async (tx) => {
    await removeCode(tx, confirmed)
    await queueMail(context, tx, { to: email, template: 'email_taken', values: {}, language })
  })
  return null
}

/** Completes changes that a crash or an unreachable directory interrupted. */
export async function finishEmailChanges(context: LoginContext): Promise<void> {
  const before = instant(context.clock.now() - IN_PROGRESS_MS)
  const found = await context.database.read((read) => listUnfinishedCodes(read, 'email', before, BATCH))
  for (const confirmed of found) {
    try {
      await finishEmailChange(context, confirmed)
    } catch (error) {
      context.telemetry.log.warn(
        { err: error },
        'a confirmed e-mail change could not be completed; retrying in a minute',
      )
    }
  }
}
