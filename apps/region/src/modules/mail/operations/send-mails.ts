import type { Jobs } from '@sealpost/jobs'
import { type Instant, instant } from '@sealpost/kernel'
import type { Mailer, SendOutcome } from '@sealpost/mail'
import { openUnder, SealingError } from '@sealpost/sealing'
import type { Platform } from '../../../platform/module.ts'
import type { SmsGateway } from '../../../platform/sms-gateway.ts'
import type { MailContext } from '../context.ts'
import { deleteMail, deleteMailsBefore, findMail, type WaitingMail } from '../store/outbox.ts'
import { contextOf, type OutboxMail, sendMailJob } from './queue-mail.ts'

export interface SenderContext extends Pick<Platform, 'database' | 'clock' | 'log'>, Pick<MailContext, 'settings'> {
  readonly mailer: Mailer
  /** Null where the installation has no gateway. */
  readonly sms: SmsGateway | null
}

/** A mail is deleted after a day: the codes in it have expired long before. */
const KEPT_MS = 24 * 3_600_000

/** The mail is sent before its row and its job are deleted together: a worker that dies between the two sends it twice. */
export function handleMails(context: SenderContext, jobs: Jobs): void {
  jobs.handle(sendMailJob, {
    prepare: ({ payload }) => sendMail(context, payload.mailId),
    async step(tx, { payload }) {
      await deleteMail(tx, payload.mailId)
      return { next: 'done' }
    },
  })
}

/** Resolves when the row can be deleted. Rejects when the mail has to be tried again. */
async function sendMail(context: SenderContext, mailId: string): Promise<undefined> {
  const mail = await context.database.read((read) => findMail(read, mailId))
  if (mail === null) return
  const content = openMail(context, mail)
  if (content === null) return giveUpOrRetry(context, mail, 'its key is not in DATA_KEY')
  const outcome = await hand(context, mailId, content)
  if (outcome.kind === 'failed') return giveUpOrRetry(context, mail, outcome.reason)
  if (outcome.kind === 'refused')
    context.log.warn({ mailId, reason: outcome.reason }, 'the server refused a mail permanently; it is deleted')
}

async function hand({ mailer, sms }: SenderContext, id: string, content: OutboxMail): Promise<SendOutcome> {
  const { channel, to, subject, text } = content
  if (channel !== 'sms') return mailer.send({ id, to, subject, text })
  return sms === null ? { kind: 'failed', reason: 'SMS_URL is not set' } : sms.send({ id, to, text })
}

function giveUpOrRetry({ clock, log }: SenderContext, { id, queuedAt }: WaitingMail, reason: string): undefined {
  if (!isTooOld(queuedAt, clock.now())) throw new Error(`a mail could not be sent: ${reason}`)
  log.warn({ mailId: id, reason }, 'a mail could not be sent for a day; it is deleted')
}

function isTooOld(queuedAt: Instant, now: Instant): boolean {
  return now - queuedAt > KEPT_MS
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

/** Mails whose job an operator has discarded. Answers how many. */
export function tidyMails({ database, clock }: Pick<Platform, 'database' | 'clock'>, limit: number): Promise<number> {
  return database.transaction((tx) => deleteMailsBefore(tx, instant(clock.now() - 2 * KEPT_MS), limit))
}
