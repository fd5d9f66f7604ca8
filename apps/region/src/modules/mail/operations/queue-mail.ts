import type { Tx } from '@sealpost/postgres'
import { sealUnder } from '@sealpost/sealing'
import type { MailContext } from '../context.ts'
import { insertMail } from '../store/outbox.ts'
import { type MailTemplate, type MailValues, renderMail, type RenderedMail } from '../texts/index.ts'

export interface QueuedMail<Template extends MailTemplate> {
  readonly to: string
  readonly template: Template
  readonly values: MailValues[Template]
  readonly language: string
}

/** The content of an outbox row, sealed at rest. */
export interface OutboxMail extends RenderedMail {
  readonly to: string
}

/** Part of the caller's transaction. A worker sends it soon after the commit, at least once. */
export async function queueMail<Template extends MailTemplate>(
  { settings, clock, ids }: MailContext,
  tx: Tx,
  mail: QueuedMail<Template>,
): Promise<void> {
  const id = ids.uuid()
  const content: OutboxMail = { to: mail.to, ...renderMail(mail.template, mail.values, mail.language) }
  await insertMail(tx, id, sealUnder(settings.DATA_KEY, JSON.stringify(content), contextOf(id)), clock.now())
}

export function contextOf(id: string): string {
  return `mail.outbox:${id}`
}
