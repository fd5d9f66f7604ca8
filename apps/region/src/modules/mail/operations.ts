import type { Clock, Ids, Keyring } from '@sealpost/kernel'
import type { Database, Tx } from '@sealpost/postgres'
import { resealUnder, sealUnder } from '@sealpost/sealing'
import { insertMail, listMailsUnderOtherKeys, replaceSeal } from './store.ts'
import { type MailTemplate, type MailValues, renderMail, type RenderedMail } from './texts/index.ts'

export interface MailNeeds {
  readonly dataKey: Keyring
  readonly clock: Clock
  readonly ids: Ids
}

export interface QueuedMail<Template extends MailTemplate> {
  readonly to: string
  readonly template: Template
  readonly values: MailValues[Template]
  readonly language: string
}

/** What a row of the outbox holds, sealed. */
export interface OutboxMail extends RenderedMail {
  readonly to: string
}

/** Part of the transaction that causes it: both happen or neither. A worker sends it soon after, at least once. */
export async function queueMail<Template extends MailTemplate>(
  needs: MailNeeds,
  tx: Tx,
  mail: QueuedMail<Template>,
): Promise<void> {
  const id = needs.ids.uuid()
  const content: OutboxMail = { to: mail.to, ...renderMail(mail.template, mail.values, mail.language) }
  await insertMail(tx, id, sealUnder(needs.dataKey, JSON.stringify(content), contextOf(id)), needs.clock.now())
}

export function contextOf(id: string): string {
  return `mail.outbox:${id}`
}

const PAGE = 200
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/** Moves waiting mails to the active key, a page per transaction; answers how many. Repeating it does the rest. */
export async function rewrapMails(needs: { readonly database: Database; readonly dataKey: Keyring }): Promise<number> {
  const { database, dataKey } = needs
  let done = 0
  for (let after = BEFORE_ALL; ;) {
    const page = await database.transaction(async (tx) => {
      const found = await listMailsUnderOtherKeys(tx, dataKey.active.id, after, PAGE)
      for (const { id, sealed } of found) {
        const fresh = resealUnder(dataKey, sealed, contextOf(id))
        if (fresh !== null) await replaceSeal(tx, id, fresh)
      }
      return found
    })
    const last = page.at(-1)
    if (last === undefined) return done
    done += page.length
    after = last.id
  }
}
