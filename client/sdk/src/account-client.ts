import { AccountClients } from './account-clients.ts'
import { AccountSecurity } from './account-security.ts'
import { ContactFields } from './account/contact-fields.ts'
import { Photos } from './account/photos.ts'
import { RunDocuments } from './account/run-documents.ts'
import { ManagedRequestFields, ShareFields } from './account/service-config.ts'
import { ServiceRecords } from './account/service-records.ts'
import { ServiceRuns } from './account/service-runs.ts'
import { Services } from './account/services.ts'
import { Webhooks } from './account/webhooks.ts'
import { openCaller } from './caller.ts'
import { ContactData } from './customer/contact-data.ts'
import { openSession } from './customer/open-session.ts'
import { DataClients } from './data-clients.ts'
import { Delegates } from './delegates.ts'
import { Keys } from './keys/keys.ts'
import { pinsWhenUsed } from './keys/pins.ts'
import { accountPemOf, type OpenAccountKey } from './keys/private-keys.ts'
import type { AccountClientOptions, CallOptions } from './options.ts'
import { everyItem, pageQuery } from './pages.ts'
import { Plugins } from './plugins.ts'
import { RecoveryCopies } from './recovery-copies.ts'
import {
  changeProfile,
  listAttention,
  listAudit,
  readAccount,
  readAccountKey,
  readProfile,
} from './routes.generated.ts'
import type { Send } from './send.ts'
import type {
  ChangeProfileAnswer,
  ListAttentionAnswer,
  ListAuditAnswer,
  ReadAccountAnswer,
  ReadAccountKeyAnswer,
  ReadProfileAnswer,
} from './shapes.generated.ts'
import { SignInApps } from './sign-in-apps.ts'
import type { FieldTypes } from './values/field-types.ts'
import { Senders } from './values/senders.ts'
import { Values } from './values/values.ts'

/** Something that waits for the company. */
export type AttentionRecord = ListAttentionAnswer['items'][number]
export type AuditRecord = ListAuditAnswer['items'][number]

export interface AuditFilter {
  readonly action?: string
  /** The id of a user or a machine client. */
  readonly actor?: string
  readonly serviceId?: string
  /** A timestamp: nothing older. */
  readonly since?: string
}

export interface ProfileChange {
  readonly display_name?: string
  /** A language tag such as `de-CH`; portal logins only. */
  readonly language?: string
}

/**
 * Manages a company's own account: an account client (`acct_…`) within its capabilities, a portal login without limits.
 * Logs in, finds the region and repeats calls as `ServiceClient` does.
 */
export class AccountClient {
  readonly #send: Send
  /** The field types of the platform, cached for five minutes. */
  readonly registry: (options?: CallOptions) => Promise<FieldTypes>
  /** The services and their keys. */
  readonly services: Services
  /** The fields that a service requests from its customers. */
  readonly requestFields: ManagedRequestFields
  /** The company's fields that the customers of a service see. */
  readonly shareFields: ShareFields
  /** The catalog of fields. */
  readonly contactFields: ContactFields
  /** The values of the company's fields. */
  readonly contactData: ContactData
  readonly photos: Photos
  /** Public keys, pinned. */
  readonly keys: Keys
  /** The account clients; portal logins only. */
  readonly clients: AccountClients
  /** The data client of each service. */
  readonly dataClients: DataClients
  /** The webhooks of each service. */
  readonly webhooks: Webhooks
  /** Apps that persons sign in with. */
  readonly signInApps: SignInApps
  /** Servers that answer fields of flows, request fields and claims; portal logins only. */
  readonly plugins: Plugins
  /** Other users with access to the portal. */
  readonly delegates: Delegates
  /** The company's own copies of documents of runs; portal logins only. */
  readonly runDocuments: RunDocuments
  /** The documents and runs of a service, also of a deleted one; portal logins only. */
  readonly records: ServiceRecords
  /** Runs of the company's flows, and what they answer the service. */
  readonly runs: ServiceRuns
  /** Sealed copies of secrets that are shown once. */
  readonly recoveryCopies: RecoveryCopies
  /** Password, e-mail address, second factor, devices; portal logins of the company itself only. */
  readonly security: AccountSecurity

  constructor(options: AccountClientOptions) {
    const caller = openCaller(options)
    const pins = pinsWhenUsed(options.pins)
    const session = openSession(caller, pins, { userType: 'company', key: undefined })
    this.#send = session.send
    this.registry = (callOptions) => session.types(callOptions)
    this.requestFields = new ManagedRequestFields(this.#send)
    this.shareFields = new ShareFields(this.#send)
    this.contactFields = new ContactFields(this.#send)
    this.contactData = new ContactData(session)
    this.photos = new Photos(session.readStream, this.#send)
    this.keys = new Keys(this.#send, pins)
    this.clients = new AccountClients(this.#send)
    this.dataClients = new DataClients(this.#send)
    this.webhooks = new Webhooks(this.#send)
    this.signInApps = new SignInApps(this.#send)
    this.plugins = new Plugins(this.#send, caller.wire)
    this.delegates = new Delegates(this.#send, pins)
    this.runDocuments = new RunDocuments(this.#send, session.readStream)
    this.records = new ServiceRecords(this.#send)
    const senders = new Senders(pins, { requireSignatures: false, formerSlugs: {} })
    const values = new Values(() => session.types(), { now: caller.wire.now, senders, verifiers: {} })
    this.runs = new ServiceRuns(this.#send, { pins, types: (callOptions) => session.types(callOptions), values })
    this.recoveryCopies = new RecoveryCopies(this.#send)
    this.services = new Services(this.#send, this.recoveryCopies, pins)
    this.security = new AccountSecurity(this.#send)
  }

  /** The account with its home region and level. */
  read(options?: CallOptions): Promise<ReadAccountAnswer> {
    return this.#send(readAccount, {}, options)
  }

  readProfile(options?: CallOptions): Promise<ReadProfileAnswer> {
    return this.#send(readProfile, {}, options)
  }

  /** Members that are left out stay as they are. An account client may change the display name only. */
  changeProfile(change: ProfileChange, options?: CallOptions): Promise<ChangeProfileAnswer> {
    return this.#send(changeProfile, { body: change }, options)
  }

  /** The key pair of the account; its private key is wrapped by the password. Portal logins only. */
  readKey(options?: CallOptions): Promise<ReadAccountKeyAnswer> {
    return this.#send(readAccountKey, {}, options)
  }

  /**
   * The private key of the account as an encrypted file, like that of a service: it opens webhooks with `encrypt_payload`
   * and what the company gets as a customer. Portal logins only.
   */
  async exportAccountPem(open: OpenAccountKey, passphrase: string, options?: CallOptions): Promise<string> {
    const { encrypted_private_key: wrapped } = await this.readKey(options)
    return accountPemOf(wrapped, open, passphrase)
  }

  /** What waits for the company, oldest first: at most 50 of each kind, so more may wait. Portal logins and delegates. */
  async attention(options?: CallOptions): Promise<readonly AttentionRecord[]> {
    return (await this.#send(listAttention, {}, options)).items
  }

  /** The audit entries, all or those that match, newest first, read page by page. Portal logins only. */
  audit({ serviceId, ...rest }: AuditFilter = {}, options?: CallOptions): AsyncGenerator<AuditRecord, void, undefined> {
    const filter = { ...rest, ...(serviceId === undefined ? {} : { service_id: serviceId }) }
    return everyItem((cursor) => this.#send(listAudit, { query: { ...filter, ...pageQuery(cursor) } }, options))
  }
}
