import type { Instant } from '@sealpost/kernel'
import { english } from './english.ts'

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

/** By language tag; one that is not here, or a regional form of one that is, gets the nearest, else English. */
const LANGUAGES: ReadonlyMap<string, MailTexts> = new Map([['en', english]])

export function textsIn(language: string): MailTexts {
  const [primary = ''] = language.toLowerCase().split('-')
  return LANGUAGES.get(language.toLowerCase()) ?? LANGUAGES.get(primary) ?? english
}

export interface RenderedMail {
  readonly subject: string
  readonly text: string
}

export function renderMail<Template extends MailTemplate>(
  template: Template,
  values: MailValues[Template],
  language: string,
): RenderedMail {
  const { subject, text } = textsIn(language)[template](values)
  return { subject, text: `${text.join('\n\n')}\n` }
}
