import type { ProfileChange } from './account-client.ts'
import { AccountSecurity } from './account-security.ts'
import { ContactFields } from './account/contact-fields.ts'
import { Photos } from './account/photos.ts'
import { call } from './call.ts'
import { type Caller, frontDoorAddress, openCaller } from './caller.ts'
import { type Changes, changesOfCustomer, type CustomerChange } from './changes.ts'
import { OwnApprovals } from './customer/approvals.ts'
import { Authorizations } from './customer/authorizations.ts'
import { ReceivedConnectRequests } from './customer/connect-requests.ts'
import { OwnConnections } from './customer/connections.ts'
import { Consents } from './customer/consents.ts'
import { ContactData } from './customer/contact-data.ts'
import {
  type AnnouncedKey,
  type ConnectOptions,
  type CustomerAnswers,
  secondFactorMembers,
  sendDecisions,
} from './customer/decisions.ts'
import { OwnDocuments } from './customer/documents.ts'
import { OwnFlows } from './customer/flows.ts'
import { followHints, type Hint, type HintOptions } from './customer/hints.ts'
import { OwnMessages } from './customer/messages.ts'
import { askingOf, readOffer } from './customer/offers.ts'
import { openSession } from './customer/open-session.ts'
import type { OwnConnection } from './customer/own-connections.ts'
import type { CustomerSession, UserType } from './customer/session.ts'
import { Verifications } from './customer/verifications.ts'
import { openPlacedPluginField, type PluginFieldPlace } from './forwarder/placed-plugin-field.ts'
import type { PluginField } from './forwarder/plugin-field.ts'
import { Keys } from './keys/keys.ts'
import { type KeyPins, requirePins } from './keys/pins.ts'
import type { AccountKey } from './keys/private-keys.ts'
import type { AccountClientOptions, CallOptions, PluginKeyOptions } from './options.ts'
import { changeProfile, connect, readProfile, readProfileKeys } from './routes.generated.ts'
import type { Send } from './send.ts'
import type {
  ChangeProfileAnswer,
  LookUpServiceAnswer,
  ReadAccountAnswer,
  ReadProfileAnswer,
  ReadProfileKeysAnswer,
} from './shapes.generated.ts'
import type { FieldTypes } from './values/field-types.ts'

export type CustomerClientOptions = AccountClientOptions &
  PluginKeyOptions & {
    /**
     * Opens a person's own copies of values; required to share them from the profile. A function is called once, when the
     * key is first needed: it may call `readKeys` and open the key with the password.
     */
    readonly key?: AccountKey | (() => Promise<AccountKey>)
    /**
     * `person` by default: own values are sealed. A company must say so, because its own values are sent as plain text; what
     * the server says about the account never decides.
     */
    readonly userType?: UserType
    /**
     * Remembers keys and connections across restarts, so that the server cannot exchange them: `filePins(folder)` of
     * `@sealpost/sdk/file-store` or a store of your own; `memoryPins()` for tests. One store per account.
     */
    readonly pins: KeyPins
  }

/**
 * Acts for a customer of services: a person who is logged in, or a company with an account client that has
 * `customer_connections`. Values are sealed on this side, so the platform cannot read them; only files of fields that
 * the customer marked as not private are sent in the clear.
 */
export class CustomerClient {
  readonly #session: CustomerSession
  readonly #caller: Caller
  readonly #acceptsNewKeys: boolean
  readonly connections: OwnConnections
  /** Fields that services requested after the connection was made. */
  readonly consents: Consents
  readonly connectRequests: ReceivedConnectRequests
  /** Documents and contracts of services: read, sign, accept, decline, cancel. */
  readonly documents: OwnDocuments
  /** Runs of contract flows of services. */
  readonly flows: OwnFlows
  /** Messages with services. */
  readonly messages: OwnMessages
  /** Logins at services that the person approves. */
  readonly twofa: OwnApprovals
  /** The catalog of fields. */
  readonly contactFields: ContactFields
  /** The values of the fields. */
  readonly contactData: ContactData
  readonly verifications: Verifications
  readonly photos: Photos
  /** Password, e-mail address, second factor, devices, deletion; the own login of a person only. */
  readonly security: AccountSecurity
  /** Events by other companies; companies only. Apps of persons follow `hints()`. */
  readonly changes: Changes<CustomerChange>
  /** Public keys, pinned. */
  readonly keys: Keys

  constructor(options: CustomerClientOptions) {
    const pins = requirePins(options.pins)
    const caller = openCaller(options)
    const session = openSession(caller, pins, { userType: options.userType ?? 'person', key: options.key })
    const contactData = new ContactData(session)
    this.#session = session
    this.#caller = caller
    this.#acceptsNewKeys = options.acceptNewPluginKeys ?? false
    this.connections = new OwnConnections(session, contactData)
    this.consents = new Consents(session, contactData)
    this.connectRequests = new ReceivedConnectRequests(session, contactData)
    this.documents = new OwnDocuments(session)
    this.messages = new OwnMessages(session)
    this.twofa = new OwnApprovals(session)
    this.contactFields = new ContactFields(session.send)
    this.contactData = contactData
    this.verifications = new Verifications(session.send)
    this.security = new AccountSecurity(session.send)
    this.photos = new Photos(session.readStream, session.send)
    this.changes = changesOfCustomer(session.send, (callOptions) => session.me(callOptions), caller.wire)
    this.keys = new Keys(session.send, pins)
    const { documents, keys } = this
    const acceptsNewKeys = this.#acceptsNewKeys
    this.flows = new OwnFlows(session, { contactData, documents, keys, wire: caller.wire, acceptsNewKeys })
  }

  /** The account behind this client. */
  me(options?: CallOptions): Promise<ReadAccountAnswer> {
    return this.#session.me(options)
  }

  readProfile(options?: CallOptions): Promise<ReadProfileAnswer> {
    return this.#session.send(readProfile, {}, options)
  }

  /** Members that are left out stay as they are. */
  changeProfile(change: ProfileChange, options?: CallOptions): Promise<ChangeProfileAnswer> {
    return this.#session.send(changeProfile, { body: change }, options)
  }

  /** The person's key pair; the private key is wrapped by the password. Persons only. */
  readKeys(options?: CallOptions): Promise<ReadProfileKeysAnswer> {
    return this.#session.send(readProfileKeys, {}, options)
  }

  /**
   * What changed, for the app of a person: read the object of each hint again. Never ends by itself: it reconnects and
   * continues where it stopped, also in a later run that gives the `position` of its last hint.
   */
  hints(options: HintOptions = {}): AsyncGenerator<Hint, void, undefined> {
    return followHints(this.#session, this.#caller.wire, options)
  }

  /** The field types of the platform, cached for five minutes. */
  registry(options?: CallOptions): Promise<FieldTypes> {
    return this.#session.types(options)
  }

  /** For the consent page of a person app: what apps ask of the person at the front door with this address. */
  authorizations(frontDoorUrl: string): Authorizations {
    const frontDoor = frontDoorAddress(frontDoorUrl)
    const send: Send = (route, input, options) => call(this.#caller, route, input, options, frontDoor)
    return new Authorizations(send, this.#session, this.contactData)
  }

  /** The service at `COMPANYCODE/SERVICECODE` and the fields that it requests. */
  lookup(code: string, options?: CallOptions & AnnouncedKey): Promise<LookUpServiceAnswer> {
    return readOffer(this.#session, code, options)
  }

  /**
   * Opens a field that a plugin answers outside of flows: one that a service requests, before or after connecting, or a claim
   * of a sign-in app. The answer is `{ value: text }` with the text of the finished field.
   */
  plugin(place: PluginFieldPlace, options: CallOptions = {}): Promise<PluginField> {
    const { wire } = this.#caller
    return openPlacedPluginField({ wire, session: this.#session, acceptsNewKeys: this.#acceptsNewKeys }, place, options)
  }

  /** Connects and shares the answers, each sealed to the service. Throws a `ValueError` before a request is sent. */
  async connect(code: string, answers: CustomerAnswers, options?: ConnectOptions): Promise<OwnConnection> {
    const asking = await askingOf(this.#session, code, answers, options)
    return sendDecisions(this.#session, this.contactData, asking, answers, options, (members) =>
      this.#session.send(connect, { body: { code, ...members, ...secondFactorMembers(options) } }, options),
    )
  }
}
