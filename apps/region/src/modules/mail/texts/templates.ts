import type { Instant } from '@sealpost/kernel'

/** The values of each mail. A new mail starts here, then in each language. */
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
  readonly sign_code: MailedCode & { readonly document: string }
  /** A text message: its subject is not sent. */
  readonly verify_phone: MailedCode
  readonly flow_data_deletion: FlowDataDeletion
  readonly webhook_stale: StaleWebhook
  readonly webhook_purged: StaleWebhook
}

/** The level of a company no longer includes flows: the data of its runs will be deleted. */
export interface FlowDataDeletion {
  readonly company: string
  readonly dueAt: Instant
  /** Runs that have data now; those that start before the date are added. */
  readonly runs: number
}

/** A webhook whose events wait. */
export interface StaleWebhook {
  readonly service: string
  readonly webhookId: string
  /** The host of its URL; the whole URL may contain secrets. */
  readonly host: string
  readonly waiting: number
  /** Null when no event waits any more. */
  readonly oldestAt: Instant | null
  /** The time at which the oldest event is removed. */
  readonly lossAt: Instant | null
  /** Removed since the last mail. */
  readonly lost: number
  readonly cause: 'failing' | 'probing' | 'paused' | 'disabled' | 'suspended' | 'waiting' | 'over'
  readonly since: Instant
  /** Null unless the last delivery failed. */
  readonly lastError: string | null
  readonly nextMail: 'day' | 'hour'
}

interface MailedCode {
  readonly code: string
  readonly minutes: number
}
/** For a mail without values. */
type Nothing = Readonly<Record<string, never>>

export type MailTemplate = keyof MailValues

export type MailTexts = {
  readonly [Template in MailTemplate]: (values: MailValues[Template]) => {
    readonly subject: string
    /** One entry per paragraph. */
    readonly text: readonly string[]
  }
}
