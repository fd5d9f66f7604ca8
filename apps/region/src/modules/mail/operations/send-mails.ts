import { type Instant, instant } from '@sealpost/kernel'
import type { Mailer } from '@sealpost/mail'
import { startLoop } from '@sealpost/process'
import { openUnder, SealingError } from '@sealpost/sealing'
import type { Platform } from '../../../platform/module.ts'
import type { MailContext } from '../context.ts'
import { claimMails, MAIL_CHANNEL, postponeMail, removeMail, type WaitingMail } from '../store/outbox.ts'
import { contextOf, type OutboxMail } from './queue-mail.ts'

export interface SenderContext
  extends Pick<Platform, 'database' | 'clock' | 'log' | 'onNotify' | 'isPaused'>, Pick<MailContext, 'settings'> {
  readonly mailer: Mailer
  readonly pollEveryMs?: number
}

export interface MailSender {
  /** Sends all mails that are due and resolves when that is done. */
  sendDue(): Promise<void>
  close(): Promise<void>
}

const AT_ONCE = 8
/** Longer than all time limits of one mail together. */
const LEASE_MS = 90_000
/** NOTIFY wakes it; the poll finds mails that became due later, or whose NOTIFY was missed. */
const POLL_EVERY_MS = 2000
const FIRST_RETRY_MS = 5000
const LAST_RETRY_MS = 15 * 60_000
const KEPT_MS = 24 * 3_600_000

/** Part of the worker role. Several workers share the outbox by leases; a mail goes out at least once. */
export async function startMailSender(context: SenderContext): Promise<MailSender> {
  const loop = startLoop({
    name: 'sending queued mails',
    log: context.log,
    everyMs: context.pollEveryMs ?? POLL_EVERY_MS,
    work: (closing) => sendAll(context, () => closing.aborted),
  })
  const listener = await context.onNotify(MAIL_CHANNEL, () => loop.wake())
  return {
    sendDue: () => loop.run(),
    async close() {
      await listener.close()
      await loop.close()
      context.mailer.close()
    },
  }
}

async function sendAll(context: SenderContext, isOver: () => boolean): Promise<void> {
  while (!isOver() && !(await context.isPaused())) {
    const now = context.clock.now()
    const claimed = await context.database.transaction((tx) => claimMails(tx, now, AT_ONCE, LEASE_MS))
    await Promise.all(claimed.map((mail) => sendOne(context, mail, now)))
    if (claimed.length < AT_ONCE) return
  }
}

async function sendOne(context: SenderContext, mail: WaitingMail, now: Instant): Promise<void> {
  const content = openMail(context, mail)
  if (content === null) return postpone(context, mail, now, 'its key is not in DATA_KEY')
  const outcome = await context.mailer.send({ id: mail.id, ...content })
  switch (outcome.kind) {
    case 'taken':
      return remove(context, mail)
    case 'refused':
      context.log.warn(
        { mailId: mail.id, reason: outcome.reason },
        'the server refused a mail permanently; it is deleted',
      )
      return remove(context, mail)
    case 'failed':
      return postpone(context, mail, now, outcome.reason)
  }
}

async function postpone(context: SenderContext, mail: WaitingMail, now: Instant, reason: string): Promise<void> {
  const { id, attempts } = mail
  if (isTooOld(mail, now)) {
    context.log.warn({ mailId: id, attempts, reason }, 'a mail could not be sent for a day; it is deleted')
    return remove(context, mail)
  }
  context.log.warn({ mailId: id, attempts, reason }, 'a mail could not be sent; retrying later')
  await context.database.transaction((tx) => postponeMail(tx, id, instant(now + backoffMs(attempts))))
}

/** 5 s, 10 s, 20 s and so on up to a quarter of an hour; `attempts` counts from 1. */
function backoffMs(attempts: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), LAST_RETRY_MS)
}

/** A mail is deleted after a day: the codes in it have expired long before. */
function isTooOld({ queuedAt }: { readonly queuedAt: Instant }, now: Instant): boolean {
  return now - queuedAt > KEPT_MS
}

function remove({ database }: SenderContext, { id }: WaitingMail): Promise<void> {
  return database.transaction((tx) => removeMail(tx, id))
}

function openMail({ settings, log }: SenderContext, { id, sealed }: WaitingMail): OutboxMail | null {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- sealed by `queueMail` and authenticated by the seal
    return JSON.parse(openUnder(settings.DATA_KEY, sealed, contextOf(id)).toString()) as OutboxMail
  } catch (error) {
    if (!(error instanceof SealingError)) throw error
    log.error({ mailId: id, err: error }, 'a queued mail cannot be opened')
    return null
  }
}
