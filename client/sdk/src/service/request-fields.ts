import type { CallOptions } from '../options.ts'
import { repeatOn } from '../repeat-on.ts'
import { publishOwnRequestFields, readOwnRequestFields } from '../routes.generated.ts'
import type { Send } from '../send.ts'
import type { ReadOwnRequestFieldsAnswer } from '../shapes.generated.ts'

export type RequestField = ReadOwnRequestFieldsAnswer['request_fields'][number]

/** A row to publish. Rows without an id are new; rows that are left out are removed with their values. */
export interface RequestFieldToPublish {
  readonly id?: string | null
  /** Derived from the label by default. */
  readonly slug?: string
  readonly label: string
  /** Cannot be changed once published. */
  readonly type: string
  /** Cannot be changed once published; when absent it stays, and is false for a new row. */
  readonly one_time?: boolean
  readonly mandatory?: boolean
  readonly mandatory_provide?: boolean
  readonly mandatory_connected?: boolean
  readonly audience?: 'person' | 'company' | 'both'
  readonly verified?: boolean
  readonly verified_max_age_days?: number | null
  /** Of a row of type `plugin`: its plugin by id, or by a name that only one has, and a field type without required inputs. */
  readonly plugin?: { readonly plugin_id?: string; readonly plugin_name?: string; readonly field_type: string } | null
}

type Rows = readonly RequestFieldToPublish[]

/** The fields that the service requests from its customers. */
export class RequestFields {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  read(options?: CallOptions): Promise<ReadOwnRequestFieldsAnswer> {
    return this.#send(readOwnRequestFields, {}, options)
  }

  /** Refused with `services.config_conflict` if another user published since `configToken` was read. */
  publish(configToken: string, rows: Rows, options?: CallOptions): Promise<ReadOwnRequestFieldsAnswer> {
    const body = { config_token: configToken, request_fields: rows }
    return this.#send(publishOwnRequestFields, { body }, options)
  }

  /** Publishes the rows that `change` returns for the present ones; repeats both if another user published meanwhile. */
  update(
    change: (rows: readonly RequestField[]) => Rows | Promise<Rows>,
    options?: CallOptions,
  ): Promise<ReadOwnRequestFieldsAnswer> {
    return repeatOn('services.config_conflict', async () => {
      const { config_token: token, request_fields: rows } = await this.read(options)
      return this.publish(token, await change(rows), options)
    })
  }
}
