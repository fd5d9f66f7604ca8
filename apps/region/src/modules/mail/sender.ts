import { type Clock, type Instant, instant, type Keyring } from '@sealpost/kernel'
import type { Mailer } from '@sealpost/mail'
import type { Database } from '@sealpost/postgres'
import { openUnder, SealingError } from '@sealpost/sealing'
import type { Log } from '@sealpost/telemetry'
import { contextOf, type OutboxMail } from './operations.ts'
import { backoffMs, isTooOld } from './rules.ts'
import { claimMails, MAIL_CHANNEL, postponeMail, removeMail, type WaitingMail } from './store.ts'

export interface SenderNeeds {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly dataKey: Keyring
  readonly mailer: Mailer
  /** Calls `act` whenever the channel is notified; answers how to stop. */
  onNotified(channel: string, act: () => void): Promise<() => Promise<void>>
  /** While true no mail is taken from the outbox. */
  readonly isPaused?: () => Promise<boolean>
  readonly lookEveryMs?: number
}

export interface MailSender {
  /** Sends what is due now and resolves when that is done; for tests and orderly ends. */
  sendDue(): Promise<void>
  close(): Promise<void>
}

const AT_ONCE = 8
/** Longer than one mail can take with all its timeouts. */
const LEASE_MS = 90_000
/** Notices wake it; this finds what was due later or notified while nobody listened. */
const LOOK_EVERY_MS = 2000

/** Part of the worker role. Several workers share the outbox by leases; a mail goes out at least once. */
export async function startMailSender(needs: SenderNeeds): Promise<MailSender> {
  let current: Promise<void> = Promise.resolve()
  let isQueued = false
  let isClosed = false

  function turn(): Promise<void> {
    if (isQueued || isClosed) return current
    isQueued = true
    current = current.then(async () => {
      isQueued = false
      await sendAll(needs, () => isClosed).catch((error: unknown) => {
        needs.log.warn({ err: error }, 'waiting mails could not be looked at; it is tried again soon')
      })
    })
    return current
  }

  const stopListening = await needs.onNotified(MAIL_CHANNEL, () => void turn())
  const timer = setInterval(() => void turn(), needs.lookEveryMs ?? LOOK_EVERY_MS)
  timer.unref()
  void turn()
  return {
    sendDue: turn,
    async close() {
      isClosed = true
      clearInterval(timer)
      await stopListening()
      await current
      needs.mailer.close()
    },
  }
}

async function sendAll(needs: SenderNeeds, isOver: () => boolean): Promise<void> {
  while (!isOver() && (await needs.isPaused?.()) !== true) {
    const now = needs.clock.now()
    const claimed = await needs.database.transaction((tx) => claimMails(tx, now, AT_ONCE, LEASE_MS))
    await Promise.all(claimed.map((mail) => sendOne(needs, mail, now)))
    if (claimed.length < AT_ONCE) return
  }
}

async function sendOne(needs: SenderNeeds, mail: WaitingMail, now: Instant): Promise<void> {
  const content = openMail(needs, mail)
  if (content === null) return postpone(needs, mail, now, 'its key is not in DATA_KEY')
  const outcome = await needs.mailer.send({ id: mail.id, ...content })
  switch (outcome.kind) {
    case 'taken':
      return remove(needs, mail)
    case 'refused':
      needs.log.warn({ mailId: mail.id, reason: outcome.reason }, 'a mail was refused for good and is dropped')
      return remove(needs, mail)
    case 'failed':
      return postpone(needs, mail, now, outcome.reason)
  }
}

async function postpone(needs: SenderNeeds, mail: WaitingMail, now: Instant, reason: string): Promise<void> {
  const { id, attempts } = mail
  if (isTooOld(mail, now)) {
    needs.log.warn({ mailId: id, attempts, reason }, 'a mail could not be sent for a day and is dropped')
    return remove(needs, mail)
  }
  needs.log.warn({ mailId: id, attempts, reason }, 'a mail could not be sent; it is tried again later')
  await needs.database.transaction((tx) => postponeMail(tx, id, instant(now + backoffMs(attempts))))
}

function remove({ database }: SenderNeeds, { id }: WaitingMail): Promise<void> {
  return database.transaction((tx) => removeMail(tx, id))
}

function openMail({ dataKey, log }: SenderNeeds, { id, sealed }: WaitingMail): OutboxMail | null {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- sealed by `queueMail` and authenticated by the seal
    return JSON.parse(openUnder(dataKey, sealed, contextOf(id)).toString()) as OutboxMail
  } catch (error) {
    if (!(error instanceof SealingError)) throw error
    log.error({ mailId: id, err: error }, 'a waiting mail cannot be opened')
    return null
  }
}
