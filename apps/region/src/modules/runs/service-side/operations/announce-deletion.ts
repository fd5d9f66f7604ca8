import { type Instant, instant, type UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { Level } from '@sealpost/protocol'
import { removeAll } from '../../../../platform/remove-all.ts'
import { findAccount } from '../../../account/index.ts'
import { queueMail } from '../../../mail/index.ts'
import type { ServiceSideContext } from '../context.ts'
import { countWithData, scheduleDeletion, takeReminders, unscheduleDeletion } from '../store/runs.ts'

const DAY_MS = 24 * 3_600_000
const REMINDER_MS = 3 * DAY_MS
const AT_ONCE = 200

/** Hook of the account: without flows in its level, the data of its runs is deleted after a while. */
export async function levelChanged(
  context: ServiceSideContext,
  tx: Tx,
  companyId: UserId,
  level: Level,
): Promise<void> {
  if (level === 'pro' || level === 'enterprise') return unscheduleDeletion(tx, companyId)
  const days = level === 'free' ? 7 : 30
  const dueAt = instant(context.clock.now() + days * DAY_MS)
  if (await scheduleDeletion(tx, companyId, dueAt)) await mailAbout(context, tx, companyId, dueAt)
}

/** Chore: the second mail, three days before. */
export async function remindOfDeletions(context: ServiceSideContext): Promise<void> {
  const { database, clock } = context
  await removeAll(AT_ONCE, (limit) =>
    database.transaction(async (tx) => {
      const due = await takeReminders(tx, instant(clock.now() + REMINDER_MS), limit)
      for (const { companyId, dueAt } of due) if (dueAt > clock.now()) await mailAbout(context, tx, companyId, dueAt)
      return due.length
    }),
  )
}

/** None to a company that has no run with data. */
async function mailAbout(context: ServiceSideContext, tx: Tx, companyId: UserId, dueAt: Instant): Promise<void> {
  const [account, runs] = [await findAccount(tx, companyId), await countWithData(tx, companyId)]
  if (account === null || runs === 0) return
  const { email: to, language, displayName: company } = account
  await queueMail(context.mail, tx, { to, template: 'flow_data_deletion', values: { company, dueAt, runs }, language })
}
