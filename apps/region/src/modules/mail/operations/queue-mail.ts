import type { JobKind } from '@sealpost/jobs'
import type { Tx } from '@sealpost/postgres'
import { sealUnder } from '@sealpost/sealing'
import type { MailContext } from '../context.ts'
import { insertMail } from '../store/outbox.ts'
import { type MailTemplate, type MailValues, renderMail, type RenderedMail } from '../texts/index.ts'

/** Never dead: the handler gives a mail up after a day. The lease is longer than all time limits of one mail together. */
export const sendMailJob: JobKind<{ readonly mailId: string }> = {
  name: 'mail.send',
  queue: { name: 'mail', concurrency: 8, leaseMs: 90_000 },
  maxAttempts: Infinity,
  backoff: { firstMs: 5000, longestMs: 15 * 60_000 },
}

export interface QueuedMail<Template extends MailTemplate> {
  readonly to: string
  readonly template: Template
  readonly values: MailValues[Template]
  readonly language: string
}

/** The content of an outbox row, sealed at rest. */
export interface OutboxMail extends RenderedMail {
  readonly to: string
  /** Absent for a mail. */
  readonly channel?: 'sms'
}

/** Part of the caller's transaction. A worker sends it soon after the commit, at least once. */
export async function queueMail<Template extends MailTemplate>(
  context: MailContext,
  tx: Tx,
  mail: QueuedMail<Template>,
): Promise<void> {
  await queue(context, tx, { to: mail.to, ...renderMail(mail.template, mail.values, mail.language) })
}

/** A text message, in the same outbox: `to` is a number in the international form. */
export async function queueSms<Template extends MailTemplate>(
  context: MailContext,
  tx: Tx,
  { to, template, values, language }: QueuedMail<Template>,
): Promise<void> {
  const { text } = renderMail(template, values, language)
  await queue(context, tx, { channel: 'sms', to, subject: '', text: text.trim() })
}

async function queue({ settings, clock, ids, jobs }: MailContext, tx: Tx, content: OutboxMail): Promise<void> {
  const id = ids.uuid()
  const sealed = sealUnder(settings.DATA_KEY, JSON.stringify(content), contextOf(id))
  await insertMail(tx, { id, sealed, queuedAt: clock.now() })
  await jobs.enqueue(tx, sendMailJob, { payload: { mailId: id }, tenantId: null })
}

export function contextOf(id: string): string {
  return `mail.outbox:${id}`
}
