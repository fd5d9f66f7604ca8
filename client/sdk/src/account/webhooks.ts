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

/** Members that are left out get their default; a secret that is left out, or sent as it was read, is kept. */
export interface WebhookSettings {
  /** `https://…` or `http://…`, without user name and password. */
  readonly url: string
  /** Empty or left out: all events. */
  readonly events?: WebhookRecord['events']
  /** `json` by default. */
  readonly format?: WebhookRecord['format']
  /** `hmac` by default. */
  readonly auth_type?: WebhookRecord['auth_type']
  /** Seals the whole body to the account key. */
  readonly encrypt_payload?: boolean
  /** True by default; while false, events are neither queued nor sent. */
  readonly enabled?: boolean
  /** For `hmac`; generated when there is none. */
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

/** The webhooks of a service. Account clients need `service_management`. */
export class Webhooks {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** All webhooks of the service, oldest first, with their health. */
  list(serviceId: string, options?: CallOptions): AsyncGenerator<WebhookRecord, void, undefined> {
    return everyItem((cursor) =>
      this.#send(listWebhooks, { params: { id: serviceId }, query: pageQuery(cursor) }, options),
    )
  }

  /** Generates a `hmac_secret` if none is given; only this answer contains it, as `hmac_secret_once`. */
  create(serviceId: string, settings: WebhookSettings, options?: CallOptions): Promise<CreateWebhookAnswer> {
    return this.#send(createWebhook, { params: { id: serviceId }, body: settings }, options)
  }

  read(serviceId: string, webhookId: string, options?: CallOptions): Promise<WebhookRecord> {
    return this.#send(readWebhook, { params: { id: serviceId, webhookId } }, options)
  }

  /** Replaces all settings except secrets that are left out. After a new `hmac_secret` the old one stays valid for a day. */
  change(
    serviceId: string,
    webhookId: string,
    settings: WebhookSettings,
    options?: CallOptions,
  ): Promise<ChangeWebhookAnswer> {
    return this.#send(changeWebhook, { params: { id: serviceId, webhookId }, body: settings }, options)
  }

  /** Deletes the webhook with its backlog. */
  delete(serviceId: string, webhookId: string, options?: CallOptions): Promise<void> {
    return this.#send(deleteWebhook, { params: { id: serviceId, webhookId } }, options)
  }

  /** The old secret stays valid for the grace period, a day by default: give both to the receiver, the new one first. */
  regenerateSecret(
    serviceId: string,
    webhookId: string,
    { graceSeconds, ...options }: CallOptions & { readonly graceSeconds?: number } = {},
  ): Promise<RegenerateHmacSecretAnswer> {
    const body = graceSeconds === undefined ? {} : { grace_seconds: graceSeconds }
    return this.#send(regenerateHmacSecret, { params: { id: serviceId, webhookId }, body }, options)
  }

  /** From now on, events are queued and not sent. */
  pause(serviceId: string, webhookId: string, options?: CallOptions): Promise<WebhookRecord> {
    return this.#send(pauseWebhook, { params: { id: serviceId, webhookId } }, options)
  }

  /** Sends the queued events in order. */
  resume(serviceId: string, webhookId: string, options?: CallOptions): Promise<WebhookRecord> {
    return this.#send(resumeWebhook, { params: { id: serviceId, webhookId } }, options)
  }

  /** Probes a failing webhook now. */
  probe(serviceId: string, webhookId: string, options?: CallOptions): Promise<WebhookRecord> {
    return this.#send(probeWebhook, { params: { id: serviceId, webhookId } }, options)
  }

  /** Sends one `test` event, which affects neither queue nor health. */
  test(serviceId: string, webhookId: string, options?: CallOptions): Promise<TestWebhookAnswer> {
    return this.#send(testWebhook, { params: { id: serviceId, webhookId } }, options)
  }

  /** Sends the backlog now; with `since`, all events since then, at most 7 days. */
  replay(
    serviceId: string,
    webhookId: string,
    { since, ...options }: CallOptions & { readonly since?: Date } = {},
  ): Promise<ReplayWebhookAnswer> {
    const body = since === undefined ? {} : { since: since.toISOString() }
    return this.#send(replayWebhook, { params: { id: serviceId, webhookId }, body }, options)
  }

  /** The deliveries of the last 7 days, newest first. */
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
