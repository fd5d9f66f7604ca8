import type { CallOptions } from '../options.ts'
import { everyItem, pageQuery } from '../pages.ts'
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  pauseWebhook,
  probeWebhook,
  readWebhook,
  regenerateHmacSecret,
  replayWebhook,
  resumeWebhook,
  testWebhook,
} from '../routes.generated.ts'
import type { Send } from '../send.ts'
import type {
  ChangeWebhookAnswer,
  CreateWebhookAnswer,
  ListDeliveriesAnswer,
  ListWebhooksAnswer,
  RegenerateHmacSecretAnswer,
  ReplayWebhookAnswer,
  TestWebhookAnswer,
} from '../shapes.generated.ts'

export type WebhookRecord = ListWebhooksAnswer['items'][number]
export type WebhookDeliveryRecord = ListDeliveriesAnswer['items'][number]

/** What is left out gets its default; a secret that is left out, or sent as it was read, stays as it is. */
export interface WebhookSettings {
  /** `https://…` or `http://…`, without user name and password. */
  readonly url: string
  /** Empty or left out: all of them. */
  readonly events?: WebhookRecord['events']
  /** `json` unless told. */
  readonly format?: WebhookRecord['format']
  /** `hmac` unless told. */
  readonly auth_type?: WebhookRecord['auth_type']
  /** Seals the whole body to the account key. */
  readonly encrypt_payload?: boolean
  /** True unless told; while false nothing is queued and nothing is sent. */
  readonly enabled?: boolean
  /** For `hmac`; one is made when there is none. */
  readonly hmac_secret?: string | null
  /** For `bearer`. */
  readonly auth_token?: string | null
  /** For `basic`. */
  readonly auth_username?: string | null
  readonly auth_password?: string | null
  /** For `header`. */
  readonly auth_header_name?: string | null
  readonly auth_header_value?: string | null
}

/** Where the events of a service are sent. Account clients need `service_management`. */
export class Webhooks {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** All of them, oldest first, with their health. */
  list(serviceId: string, options?: CallOptions): AsyncGenerator<WebhookRecord, void, undefined> {
    return everyItem((cursor) =>
      this.#send(listWebhooks, { params: { id: serviceId }, query: pageQuery(cursor) }, options),
    )
  }

  /** Without a `hmac_secret` of yours one is made; `hmac_secret_once` is shown in this answer only. */
  create(serviceId: string, settings: WebhookSettings, options?: CallOptions): Promise<CreateWebhookAnswer> {
    return this.#send(createWebhook, { params: { id: serviceId }, body: settings }, options)
  }

  read(serviceId: string, webhookId: string, options?: CallOptions): Promise<WebhookRecord> {
    return this.#send(readWebhook, { params: { id: serviceId, webhookId } }, options)
  }

  /** Replaces everything but the secrets that are left out. A new `hmac_secret` leaves the old one valid for a day. */
  change(
    serviceId: string,
    webhookId: string,
    settings: WebhookSettings,
    options?: CallOptions,
  ): Promise<ChangeWebhookAnswer> {
    return this.#send(changeWebhook, { params: { id: serviceId, webhookId }, body: settings }, options)
  }

  /** With its backlog. */
  delete(serviceId: string, webhookId: string, options?: CallOptions): Promise<void> {
    return this.#send(deleteWebhook, { params: { id: serviceId, webhookId } }, options)
  }

  /** The old secret stays good for the grace, a day unless told: give both to the receiver, the new one first. */
  regenerateSecret(
    serviceId: string,
    webhookId: string,
    { graceSeconds, ...options }: CallOptions & { readonly graceSeconds?: number } = {},
  ): Promise<RegenerateHmacSecretAnswer> {
    const body = graceSeconds === undefined ? {} : { grace_seconds: graceSeconds }
    return this.#send(regenerateHmacSecret, { params: { id: serviceId, webhookId }, body }, options)
  }

  /** Events are queued from now on and not sent. */
  pause(serviceId: string, webhookId: string, options?: CallOptions): Promise<WebhookRecord> {
    return this.#send(pauseWebhook, { params: { id: serviceId, webhookId } }, options)
  }

  /** What was queued is sent in order. */
  resume(serviceId: string, webhookId: string, options?: CallOptions): Promise<WebhookRecord> {
    return this.#send(resumeWebhook, { params: { id: serviceId, webhookId } }, options)
  }

  /** Tries a failing webhook now. */
  probe(serviceId: string, webhookId: string, options?: CallOptions): Promise<WebhookRecord> {
    return this.#send(probeWebhook, { params: { id: serviceId, webhookId } }, options)
  }

  /** Sends one event `test`; neither queue nor health take notice. */
  test(serviceId: string, webhookId: string, options?: CallOptions): Promise<TestWebhookAnswer> {
    return this.#send(testWebhook, { params: { id: serviceId, webhookId } }, options)
  }

  /** Sends what is parked now, or with `since` everything of the last 7 days from then on. */
  replay(
    serviceId: string,
    webhookId: string,
    { since, ...options }: CallOptions & { readonly since?: Date } = {},
  ): Promise<ReplayWebhookAnswer> {
    const body = since === undefined ? {} : { since: since.toISOString() }
    return this.#send(replayWebhook, { params: { id: serviceId, webhookId }, body }, options)
  }

  /** What was sent within 7 days, newest first. */
  deliveries(
    serviceId: string,
    webhookId: string,
    options?: CallOptions,
  ): AsyncGenerator<WebhookDeliveryRecord, void, undefined> {
    return everyItem((cursor) =>
      this.#send(listDeliveries, { params: { id: serviceId, webhookId }, query: pageQuery(cursor) }, options),
    )
  }
}
