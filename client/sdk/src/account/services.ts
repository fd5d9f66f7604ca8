import { createServiceKey } from '@sealpost/crypto'
import { hostPlatform } from '../keys/host.ts'
import { type KeyPins, pinKey } from '../keys/pins.ts'
import { pemOf, ServiceKey, type WrappedPrivateKey } from '../keys/private-keys.ts'
import { PublicKey } from '../keys/public-key.ts'
import type { CallOptions } from '../options.ts'
import { everyItem, pageQuery } from '../pages.ts'
import type { RecoveryCopies } from '../recovery-copies.ts'
import {
  changeNumberMatching,
  changeRequiredSecondFactor,
  changeService,
  changeServiceAdminEmail,
  changeServiceShareCode,
  createService,
  deleteService,
  listServices,
  readService,
  readServicePrivateKey,
} from '../routes.generated.ts'
import type { Send } from '../send.ts'
import type { ChangeServiceBody, ListServicesAnswer, ReadServicePrivateKeyAnswer } from '../shapes.generated.ts'

export type ServiceRecord = ListServicesAnswer['items'][number]

export interface NewService {
  readonly name: string
  /** Receives alerts about the service. */
  readonly admin_email: string
  /** 1 to 8 upper-case letters and digits; derived from the name by default. */
  readonly share_code?: string
  /** The kind of customers; `both` by default. */
  readonly audience?: 'person' | 'company' | 'both'
}

/** A key pair that is not stored anywhere yet. The first two members go to the platform. */
export interface NewServiceKey {
  /** base64 of a DER SubjectPublicKeyInfo. */
  readonly publicKey: string
  readonly encryptedPrivateKey: WrappedPrivateKey
  readonly passphrase: string
}

export interface MadeService {
  readonly service: ServiceRecord
  /** Opens the private key. Only this answer contains it: the platform never has it. */
  readonly passphrase: string
  /** The copy of the passphrase that is sealed to the company's recovery key; null when none was stored. */
  readonly recovery_copy_id: string | null
  /** Why no copy could be stored. The service exists, so the passphrase must not be lost. */
  readonly recovery_error?: unknown
}

/** Not by the id of the account: the server names it. */
const RECOVERY_KEY = 'recovery:own'

/** The services of the company. Account clients need `service_management`. */
export class Services {
  readonly #send: Send
  readonly #recoveryCopies: RecoveryCopies
  readonly #pins: KeyPins

  constructor(send: Send, recoveryCopies: RecoveryCopies, pins: KeyPins) {
    this.#send = send
    this.#recoveryCopies = recoveryCopies
    this.#pins = pins
  }

  /** The key pair of a service before it exists: for an app that has its passphrase kept first. Give it to `create`. */
  async makeKey(): Promise<NewServiceKey> {
    const { publicKey, encryptedPrivateKey, passphrase } = await createServiceKey(hostPlatform())
    return { publicKey, encryptedPrivateKey, passphrase: passphrase.reveal() }
  }

  /** The encrypted key file of a key that was just made: the same that `exportPem` answers once the service exists. */
  pemOfNewKey({ encryptedPrivateKey, passphrase }: NewServiceKey): Promise<string> {
    return pemOf(encryptedPrivateKey, passphrase, passphrase)
  }

  /**
   * Generates the key pair on this side, sends the public key and the wrapped private key, and returns the passphrase. By
   * default a copy of the passphrase is stored that only the company's recovery key opens.
   */
  async create(
    service: NewService,
    options: CallOptions & { readonly recoveryCopy?: boolean; readonly key?: NewServiceKey } = {},
  ): Promise<MadeService> {
    const { recoveryCopy = true, key, ...callOptions } = options
    // Missing pins are refused before the service exists.
    if (recoveryCopy) await this.#pins.get(RECOVERY_KEY)
    const { publicKey, encryptedPrivateKey, passphrase } = key ?? (await this.makeKey())
    const body = { ...service, public_key: publicKey, encrypted_private_key: encryptedPrivateKey }
    const made = await this.#send(createService, { body }, callOptions)
    const result = { service: made, passphrase }
    if (!recoveryCopy) return { ...result, recovery_copy_id: null }
    try {
      return { ...result, recovery_copy_id: await this.storeRecoveryCopy(made.id, result.passphrase, callOptions) }
    } catch (error) {
      return { ...result, recovery_copy_id: null, recovery_error: error }
    }
  }

  /** All services, oldest first, read page by page. */
  list(options?: CallOptions): AsyncGenerator<ServiceRecord, void, undefined> {
    return everyItem((cursor) => this.#send(listServices, { query: pageQuery(cursor) }, options))
  }

  /** The deleted services of which the company keeps documents or runs. `openKey` and `AccountClient.records` read them. */
  listDeleted(options?: CallOptions): AsyncGenerator<ServiceRecord, void, undefined> {
    return everyItem((cursor) =>
      this.#send(listServices, { query: { ...pageQuery(cursor), deleted: 'true' as const } }, options),
    )
  }

  read(serviceId: string, options?: CallOptions): Promise<ServiceRecord> {
    return this.#send(readService, { params: { id: serviceId } }, options)
  }

  /** Changes name and audience; members that are left out stay as they are. */
  change(serviceId: string, change: ChangeServiceBody, options?: CallOptions): Promise<ServiceRecord> {
    return this.#send(changeService, { params: { id: serviceId }, body: change }, options)
  }

  changeShareCode(serviceId: string, shareCode: string, options?: CallOptions): Promise<ServiceRecord> {
    return this.#send(changeServiceShareCode, { params: { id: serviceId }, body: { share_code: shareCode } }, options)
  }

  changeAdminEmail(serviceId: string, adminEmail: string, options?: CallOptions): Promise<ServiceRecord> {
    const body = { admin_email: adminEmail }
    return this.#send(changeServiceAdminEmail, { params: { id: serviceId }, body }, options)
  }

  changeNumberMatching(serviceId: string, isOn: boolean, options?: CallOptions): Promise<ServiceRecord> {
    return this.#send(changeNumberMatching, { params: { id: serviceId }, body: { number_matching: isOn } }, options)
  }

  changeRequire2fa(serviceId: string, isOn: boolean, options?: CallOptions): Promise<ServiceRecord> {
    return this.#send(changeRequiredSecondFactor, { params: { id: serviceId }, body: { require_2fa: isOn } }, options)
  }

  /**
   * Deletes the service with its connections and all shared values. Its runs, and what was signed or accepted, stay with
   * the company, and so does its key.
   */
  delete(serviceId: string, options?: CallOptions): Promise<void> {
    return this.#send(deleteService, { params: { id: serviceId } }, options)
  }

  /** The public key and the private key, which is wrapped by the passphrase. */
  readPrivateKey(serviceId: string, options?: CallOptions): Promise<ReadServicePrivateKeyAnswer> {
    return this.#send(readServicePrivateKey, { params: { id: serviceId } }, options)
  }

  /** The key that opens the values that customers share with the service. */
  async openKey(serviceId: string, passphrase: string, options?: CallOptions): Promise<ServiceKey> {
    const { encrypted_private_key: wrap } = await this.readPrivateKey(serviceId, options)
    return ServiceKey.fromWrap(wrap, passphrase)
  }

  /** The encrypted key file that `ServiceKey.fromPem` and `openssl` read, under the same passphrase or another one. */
  async exportPem(
    serviceId: string,
    passphrase: string,
    newPassphrase: string = passphrase,
    options?: CallOptions,
  ): Promise<string> {
    const { encrypted_private_key: wrap } = await this.readPrivateKey(serviceId, options)
    return pemOf(wrap, passphrase, newPassphrase)
  }

  /**
   * Seals the passphrase to the company's recovery key and stores it, in the place of an older copy. Answers the id of the
   * copy.
   */
  async storeRecoveryCopy(serviceId: string, passphrase: string, { signal }: CallOptions = {}): Promise<string> {
    const options = signal === undefined ? {} : { signal }
    const { public_key: recoveryKey } = await this.#recoveryCopies.readKey(options)
    // A replaced key would reveal the passphrase to its owner.
    await pinKey(this.#pins, RECOVERY_KEY, recoveryKey)
    const sealed = await (await PublicKey.import(recoveryKey)).seal(passphrase)
    const copy = { kind: 'service_passphrase', ref_id: serviceId, sealed } as const
    return (await this.#recoveryCopies.store(copy, options)).id
  }
}
