import { DIRECTORY } from '@sealpost/bus'
import { instant, type Secret, type UserId } from '@sealpost/kernel'
import { checkEmailAsk } from '@sealpost/protocol'
import { changeEmail as moveEmail, findAccount } from '../../account/index.ts'
import { CODE_MINUTES, queueMail } from '../../mail/index.ts'
import type { LoginNeeds } from '../needs.ts'
import { issueCode, takeCode } from './mailed-codes.ts'
import { wrongCode } from './refusals.ts'
import { provePassword } from './second-factor.ts'
import { listUnfinishedCodes, lockCode, type MailedCode, markDone, removeCode } from './store/mailed-codes.ts'

/** Whoever confirmed it may still be at it. */
const LEFT_ALONE_MS = 30_000
const AT_ONCE = 100

/** Mails a code to the new address, or, when another account has that address, a sentence that says so and no code. */
export async function beginEmailChange(
  needs: LoginNeeds,
  userId: UserId,
  email: string,
  verifier: Secret<string>,
): Promise<void> {
  await provePassword(needs, userId, verifier)
  const { is_taken: isTaken } = await needs.bus.ask(checkEmailAsk, { to: DIRECTORY, body: { user_id: userId, email } })
  for (;;) {
    const unfinished = await tryToBegin(needs, userId, email, isTaken)
    if (unfinished === null) return
    await finishEmailChange(needs, unfinished)
  }
}

/** Answers the change that must be completed first: with its code replaced, nobody would know that it was half done. */
async function tryToBegin(
  needs: LoginNeeds,
  userId: UserId,
  email: string,
  isTaken: boolean,
): Promise<MailedCode | null> {
  return needs.database.transaction(async (tx) => {
    const before = await lockCode(tx, userId, 'email')
    if (before !== null && before.confirmedAt !== null && before.doneAt === null) return before
    // A code is made in both cases; that of a taken address is never sent.
    const code = await issueCode(needs, tx, userId, 'email', email)
    const language = (await findAccount(tx, userId))?.language ?? 'en'
    if (isTaken) await queueMail(needs.mail, tx, { to: email, template: 'email_taken', values: {}, language })
    else {
      const values = { code, minutes: CODE_MINUTES }
      await queueMail(needs.mail, tx, { to: email, template: 'email_code', values, language })
    }
    return null
  })
}

/** Answers the address that the account has from now on. */
export async function confirmEmailChange(needs: LoginNeeds, userId: UserId, code: string): Promise<string> {
  const found = await takeCode(needs, userId, 'email', code)
  const email = found === null ? null : await finishEmailChange(needs, found)
  if (email === null) throw wrongCode()
  return email
}

/**
 * The directory decides whose the address is; then this region writes it down. Both can be repeated: by the same code,
 * or by the upkeep after a crash. Null when somebody else was quicker with the address, whose mail then says so.
 */
async function finishEmailChange(needs: LoginNeeds, confirmed: MailedCode): Promise<string | null> {
  const { userId, email, doneAt } = confirmed
  if (email === null) return null
  if (doneAt !== null) return email
  const before = await needs.database.read((read) => findAccount(read, userId))
  if (before === null) return null
  const { language } = before
  const isMoved = await moveEmail(needs, userId, email, async (tx) => {
    if (!(await markDone(tx, confirmed, needs.clock.now()))) return false
    if (before.email === email) return true
    await queueMail(needs.mail, tx, { to: before.email, template: 'email_changed', values: { email }, language })
    return true
  })
  if (isMoved) return email
  await needs.database.transaction(async (tx) => {
    await removeCode(tx, confirmed)
    await queueMail(needs.mail, tx, { to: email, template: 'email_taken', values: {}, language })
  })
  return null
}

/** What a crash or an unreachable directory left half done. */
export async function finishEmailChanges(needs: LoginNeeds): Promise<void> {
  const before = instant(needs.clock.now() - LEFT_ALONE_MS)
  const found = await needs.database.read((read) => listUnfinishedCodes(read, 'email', before, AT_ONCE))
  for (const confirmed of found) {
    try {
      await finishEmailChange(needs, confirmed)
    } catch (error) {
      needs.telemetry.log.warn({ err: error }, 'a confirmed e-mail change could not be finished; it is tried again')
    }
  }
}
