import type { AccountNeeds } from '../../account/index.ts'
import type { LoginNeeds } from '../needs.ts'

/** What the routes of account security stand on, beside the logins. */
export interface SecurityNeeds extends LoginNeeds {
  readonly account: AccountNeeds
  readonly webAuthn: WebAuthnSite
}

/** Whom a passkey is made for: the registrable domain of the web apps, and the addresses they are served from. */
export interface WebAuthnSite {
  readonly rpId: string
  readonly origins: readonly string[]
}
