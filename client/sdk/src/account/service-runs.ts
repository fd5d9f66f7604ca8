import { openAnswers } from '../flows/open-answers.ts'
import type { OpenedAnswer } from '../flows/opened-answer.ts'
import { pinParties } from '../flows/pinned-parties.ts'
import type { FlowRun, FlowRunSummary } from '../flows/run.ts'
import type { KeyPins } from '../keys/pins.ts'
import type { ServiceKey } from '../keys/private-keys.ts'
import type { CallOptions } from '../options.ts'
import { everyItem, pageQuery } from '../pages.ts'
import { listFlows, listServiceRuns, readServiceRun } from '../routes.generated.ts'
import type { Send } from '../send.ts'
import { type RunFilter, runQuery } from '../service/run-filter.ts'
import type { ListFlowsAnswer } from '../shapes.generated.ts'
import { UntrustedAnswerError } from '../untrusted.ts'
import type { FieldTypes } from '../values/field-types.ts'
import type { Values } from '../values/values.ts'

/** The parts of the client that runs need. */
export interface ServiceRunParts {
  readonly pins: KeyPins
  readonly types: (options?: CallOptions) => Promise<FieldTypes>
  readonly values: Values
}

export type FlowRecord = ListFlowsAnswer['items'][number]

/** A run by the ids of its service and its flow. */
export interface ServiceRunName {
  readonly serviceId: string
  readonly flowId: string
  readonly runId: string
}

/** Runs of the company's flows, with the copies that the key of the service opens. */
export class ServiceRuns {
  readonly #send: Send
  readonly #parts: ServiceRunParts

  constructor(send: Send, parts: ServiceRunParts) {
    this.#send = send
    this.#parts = parts
  }

  /** The flows of a service, oldest first, also those that were never published. Portal logins only. */
  flows(serviceId: string, options?: CallOptions): AsyncGenerator<FlowRecord, void, undefined> {
    const params = { id: serviceId }
    return everyItem((cursor) => this.#send(listFlows, { params, query: pageQuery(cursor) }, options))
  }

  /** The runs of a published flow, oldest first, read page by page. */
  list(
    serviceId: string,
    flowId: string,
    filter: RunFilter = {},
    options?: CallOptions,
  ): AsyncGenerator<FlowRunSummary, void, undefined> {
    const [params, wanted] = [{ id: serviceId, flowId }, runQuery(filter)]
    return everyItem((cursor) =>
      this.#send(listServiceRuns, { params, query: { ...wanted, ...pageQuery(cursor) } }, options),
    )
  }

  /** Throws an `UntrustedAnswerError` when another run is answered, or one whose participants have changed. */
  async read({ serviceId, flowId, runId }: ServiceRunName, options?: CallOptions): Promise<FlowRun> {
    const run = await this.#send(readServiceRun, { params: { id: serviceId, flowId, runId } }, options)
    const isAsked = run.id === runId && run.flow_id === flowId && run.service_id === serviceId
    if (!isAsked) throw new UntrustedAnswerError('other_run', `run ${runId}`)
    await pinParties(this.#parts.pins, run)
    return run
  }

  /** The answers of all parties, opened, by slug. */
  async open(run: FlowRun, key: ServiceKey, options?: CallOptions): Promise<Readonly<Record<string, OpenedAnswer>>> {
    const { types, values } = this.#parts
    const reader = {
      userId: run.company_user_id,
      types: await types(options),
      open: (wrapper: string) => key.open(wrapper),
      attest: values.verify.bind(values),
    }
    return Object.fromEntries(await openAnswers(run, reader))
  }
}
