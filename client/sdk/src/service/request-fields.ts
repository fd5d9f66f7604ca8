import type { CallOptions } from '../options.ts'
import { publishOwnRequestFields, readOwnRequestFields } from '../routes.generated.ts'
import type { Send } from '../send.ts'
import type { ReadOwnRequestFieldsAnswer } from '../shapes.generated.ts'
import { updateConfig } from '../update-config.ts'

export type RequestField = ReadOwnRequestFieldsAnswer['request_fields'][number]

/** A row to publish: those that have no id yet are new, those that are left out are removed with their values. */
export interface RequestFieldToPublish {
  readonly id?: string | null
  /** Made from the label when it is left out. */
  readonly slug?: string
  readonly label: string
  /** Never changes once it is published. */
  readonly type: string
  readonly one_time?: boolean
  readonly mandatory?: boolean
  readonly mandatory_provide?: boolean
  readonly mandatory_connected?: boolean
  readonly audience?: 'person' | 'company' | 'both'
  readonly verified?: boolean
  readonly verified_max_age_days?: number | null
  readonly plugin?: Readonly<Record<string, unknown>> | null
}

type Rows = readonly RequestFieldToPublish[]

/** What the service asks of its customers. */
export class RequestFields {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  read(options?: CallOptions): Promise<ReadOwnRequestFieldsAnswer> {
    return this.#send(readOwnRequestFields, {}, options)
  }

  /** Refused with `services.config_conflict` when somebody else published since `configToken` was read. */
  publish(configToken: string, rows: Rows, options?: CallOptions): Promise<ReadOwnRequestFieldsAnswer> {
    const body = { config_token: configToken, request_fields: rows }
    return this.#send(publishOwnRequestFields, { body }, options)
  }

  /** Publishes what `change` makes of the present rows; asks it again whenever somebody else published meanwhile. */
  update(
    change: (rows: readonly RequestField[]) => Rows | Promise<Rows>,
    options?: CallOptions,
  ): Promise<ReadOwnRequestFieldsAnswer> {
    return updateConfig({
      read: () => this.read(options),
      write: async ({ config_token: token, request_fields: rows }) => this.publish(token, await change(rows), options),
    })
  }
}
