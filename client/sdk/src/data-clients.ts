import type { CallOptions } from './options.ts'
import {
  changeDataClient,
  createDataClient,
  deleteDataClient,
  readDataClient,
  regenerateDataClientSecret,
} from './routes.generated.ts'
import type { Send } from './send.ts'
import type {
  ChangeDataClientAnswer,
  CreateDataClientAnswer,
  ReadDataClientAnswer,
  RegenerateDataClientSecretAnswer,
} from './shapes.generated.ts'

export interface DataClientSettings {
  /** The redirect URI of authorization codes: https, or http on loopback; null for none. */
  readonly redirect_uri: string | null
}

/** A service has at most one data client, which is addressed by the service id. */
export class DataClients {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** `client_secret` is shown in this answer only. */
  create(
    serviceId: string,
    settings: Partial<DataClientSettings> = {},
    options?: CallOptions,
  ): Promise<CreateDataClientAnswer> {
    return this.#send(createDataClient, { params: { id: serviceId }, body: settings }, options)
  }

  read(serviceId: string, options?: CallOptions): Promise<ReadDataClientAnswer> {
    return this.#send(readDataClient, { params: { id: serviceId } }, options)
  }

  change(serviceId: string, settings: DataClientSettings, options?: CallOptions): Promise<ChangeDataClientAnswer> {
    return this.#send(changeDataClient, { params: { id: serviceId }, body: settings }, options)
  }

  /** When this resolves, the old secret and every token of the client have ended. */
  regenerateSecret(serviceId: string, options?: CallOptions): Promise<RegenerateDataClientSecretAnswer> {
    return this.#send(regenerateDataClientSecret, { params: { id: serviceId } }, options)
  }

  delete(serviceId: string, options?: CallOptions): Promise<void> {
    return this.#send(deleteDataClient, { params: { id: serviceId } }, options)
  }
}
