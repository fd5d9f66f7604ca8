import type { Instant } from '@sealpost/kernel'

/** What each mail needs to know. A new mail begins here, then in each language. */
export interface MailValues {
  readonly register_code: MailedCode
  readonly register_taken: Nothing
  readonly email_code: MailedCode
  readonly email_taken: Nothing
  readonly email_changed: { readonly email: string }
  readonly password_changed: Nothing
  readonly delete_code: MailedCode
  readonly account_deleted: Nothing
  readonly recover_code: MailedCode
  readonly verify_code: MailedCode
  readonly webhook_stale: StaleWebhook
  readonly webhook_purged: StaleWebhook
}

/** A webhook whose events wait. */
export interface StaleWebhook {
  readonly service: string
  readonly webhookId: string
  /** Of its URL, which may carry secrets as a whole. */
  readonly host: string
  readonly waiting: number
  /** Null when nothing waits any more. */
  readonly oldestAt: Instant | null
  /** When the oldest of them is removed. */
  readonly lossAt: Instant | null
  /** Removed since the last mail. */
  readonly lost: number
  readonly cause: 'failing' | 'probing' | 'paused' | 'disabled' | 'suspended' | 'waiting' | 'over'
  readonly since: Instant
  /** Why the last delivery failed, where it did. */
  readonly lastError: string | null
  readonly nextMail: 'day' | 'hour'
}

interface MailedCode {
  readonly code: string
  readonly minutes: number
}
/** For a mail that always reads the same. */
type Nothing = Readonly<Record<string, never>>

export type MailTemplate = keyof MailValues

export type MailTexts = {
  readonly [Template in MailTemplate]: (values: MailValues[Template]) => {
    readonly subject: string
    /** One entry per paragraph. */
    readonly text: readonly string[]
  }
}
