import type { CallOptions } from '../options.ts'
import { repeatOn } from '../repeat-on.ts'
import {
  addSharePhoto,
  changeShareFields,
  publishRequestFields,
  readRequestFields,
  readShareFields,
  removeSharePhoto,
} from '../routes.generated.ts'
import type { Send } from '../send.ts'
import type { RequestFieldToPublish } from '../service/request-fields.ts'
import type { ReadRequestFieldsAnswer, ReadShareFieldsAnswer } from '../shapes.generated.ts'

export type ManagedRequestField = ReadRequestFieldsAnswer['request_fields'][number]
type Rows = readonly RequestFieldToPublish[]

export interface ReadRequestFieldsOptions extends CallOptions {
  /** Adds `value_count` to each row: how many customers have given a value. Slower for a service with many customers. */
  readonly countsValues?: boolean
}

/** The fields that a service requests from its customers. */
export class ManagedRequestFields {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  read(
    serviceId: string,
    { countsValues = false, ...options }: ReadRequestFieldsOptions = {},
  ): Promise<ReadRequestFieldsAnswer> {
    const query = countsValues ? ({ include: 'value_counts' } as const) : {}
    return this.#send(readRequestFields, { params: { id: serviceId }, query }, options)
  }

  /** Refused with `services.config_conflict` if another user published since `configToken` was read. */
  publish(serviceId: string, configToken: string, rows: Rows, options?: CallOptions): Promise<ReadRequestFieldsAnswer> {
    const body = { config_token: configToken, request_fields: rows }
    return this.#send(publishRequestFields, { params: { id: serviceId }, body }, options)
  }

  /** Publishes the rows that `change` returns for the present ones; repeats both if another user published meanwhile. */
  update(
    serviceId: string,
    change: (rows: readonly ManagedRequestField[]) => Rows | Promise<Rows>,
    options?: CallOptions,
  ): Promise<ReadRequestFieldsAnswer> {
    return repeatOn('services.config_conflict', async () => {
      const { config_token: token, request_fields: rows } = await this.read(serviceId, options)
      return this.publish(serviceId, token, await change(rows), options)
    })
  }
}

/** The company's fields that the customers of a service see: its business card. */
export class ShareFields {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  read(serviceId: string, options?: CallOptions): Promise<ReadShareFieldsAnswer> {
    return this.#send(readShareFields, { params: { id: serviceId } }, options)
  }

  /** Stores the field ids that `change` returns for the present ones; repeats both after a concurrent change. */
  update(
    serviceId: string,
    change: (fieldIds: readonly string[]) => readonly string[] | Promise<readonly string[]>,
    options?: CallOptions,
  ): Promise<ReadShareFieldsAnswer> {
    return repeatOn('services.config_conflict', async () => {
      const { config_token, fields } = await this.read(serviceId, options)
      const chosen = await change(fields.map(({ field_id }) => field_id))
      const body = { config_token, fields: chosen.map((field_id) => ({ field_id })) }
      return this.#send(changeShareFields, { params: { id: serviceId }, body }, options)
    })
  }

  addPhoto(serviceId: string, photoId: string, options?: CallOptions): Promise<ReadShareFieldsAnswer> {
    return this.#send(addSharePhoto, { params: { id: serviceId }, body: { photo_id: photoId } }, options)
  }

  removePhoto(serviceId: string, photoId: string, options?: CallOptions): Promise<void> {
    return this.#send(removeSharePhoto, { params: { id: serviceId }, body: { photo_id: photoId } }, options)
  }
}
