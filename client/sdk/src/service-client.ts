import { call } from './call.ts'
import { openCaller } from './caller.ts'
import { type Changes, changesOfService, type ServiceChange } from './changes.ts'
import { Files } from './files/files.ts'
import { streamsOf } from './files/read-stream.ts'
import { Keys } from './keys/keys.ts'
import { pinsWhenUsed } from './keys/pins.ts'
import type { CallOptions, ServiceClientOptions } from './options.ts'
import { whoami } from './routes.generated.ts'
import type { Send } from './send.ts'
import { Approvals } from './service/approvals.ts'
import { ConnectRequests } from './service/connect-requests.ts'
import { Connections } from './service/connections.ts'
import { Documents } from './service/documents.ts'
import { Flows } from './service/flows.ts'
import { Messages } from './service/messages.ts'
import { RequestFields } from './service/request-fields.ts'
import type { WhoamiAnswer } from './shapes.generated.ts'
import type { FieldTypes } from './values/field-types.ts'
import { RegistryCache } from './values/registry.ts'
import { Senders } from './values/senders.ts'
import { Values } from './values/values.ts'

/**
 * Acts for one service. Logs in at the front door with the first call, keeps the token for its lifetime
 * and sends every call to the home region of the service.
 */
export class ServiceClient {
  readonly #send: Send
  readonly #registry: RegistryCache
  readonly connections: Connections
  /** Decrypts and validates shared values. */
  readonly values: Values
  /** Downloads shared files. */
  readonly files: Files
  /** The feed of changes. */
  readonly changes: Changes<ServiceChange>
  /** The fields that the service requests from its customers. */
  readonly requestFields: RequestFields
  /** Invitations to connect. */
  readonly connectRequests: ConnectRequests
  /** Documents and contracts for customers. */
  readonly documents: Documents
  /** Runs of contract flows. */
  readonly flows: Flows
  /** Messages with customers. */
  readonly messages: Messages
  /** Approval of your own logins by connected persons. */
  readonly twofa: Approvals
  /** Public keys, pinned. */
  readonly keys: Keys

  constructor(options: ServiceClientOptions) {
    const caller = openCaller(options)
    const pins = pinsWhenUsed(options.pins)
    this.#send = (route, input, callOptions) => call(caller, route, input, callOptions)
    this.#registry = new RegistryCache(caller)
    this.connections = new Connections(this.#send)
    const { verifiers = {}, requireSignatures = false, formerSlugs = {} } = options
    const senders = new Senders(pins, { requireSignatures, formerSlugs })
    this.values = new Values(() => this.#registry.read(), { now: caller.wire.now, senders, verifiers })
    const readStream = streamsOf(caller)
    this.files = new Files(readStream, senders)
    this.changes = changesOfService(this.#send, caller.wire)
    this.requestFields = new RequestFields(this.#send)
    this.connectRequests = new ConnectRequests(this.#send)
    this.keys = new Keys(this.#send, pins)
    this.documents = new Documents(this.#send, readStream, this)
    this.messages = new Messages(this.#send, this.keys)
    this.twofa = new Approvals(this.#send, caller.wire)
    const { connections, keys, values, files } = this
    const types = (callOptions?: CallOptions): Promise<FieldTypes> => this.#registry.read(callOptions)
    const { wire } = caller
    const acceptsNewKeys = options.acceptNewPluginKeys ?? false
    const reading = { values, files, readStream, types }
    this.flows = new Flows(this.#send, { connections, keys, ...reading, pins, wire, acceptsNewKeys })
  }

  /** The company user and the service of this client. */
  whoami(options?: CallOptions): Promise<WhoamiAnswer> {
    return this.#send(whoami, {}, options)
  }

  /** The field types of the platform, cached for five minutes. */
  registry(options?: CallOptions): Promise<FieldTypes> {
    return this.#registry.read(options)
  }
}
