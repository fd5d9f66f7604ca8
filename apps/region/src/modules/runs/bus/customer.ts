import { type Bus, parseParty } from '@sealpost/bus'
import type { Ids } from '@sealpost/kernel'
import {
  allowInputAsk,
  answerRunAsk,
  cancelRunAsk,
  generateRunAsk,
  passForRunAsk,
  readLanguageAsk,
  readRunFileAsk,
  readSourceAsk,
  runFileTell,
  runTell,
  stageSourceAsk,
  takeAnswerFileAsk,
} from '@sealpost/protocol'
import { readId } from '../../../platform/bus-values.ts'
import type { CustomerContext, CustomerMessages } from '../customer-side/context.ts'
import type { CustomerRun } from '../customer-side/model.ts'
import { hearFile, hearRun } from '../customer-side/operations/hear-runs.ts'
import { readLanguage } from '../customer-side/operations/read-language.ts'
import { offerStaged, stageFile } from '../customer-side/operations/staged-files.ts'

/** The service's region copies the file before it answers. */
const COPY_TIMEOUT_MS = 30_000
/** It reads, fills and encrypts the PDFs of all outputs. */
const GENERATE_TIMEOUT_MS = 60_000

export function customerMessages(bus: Bus, ids: Ids): CustomerMessages {
  return {
    askToAnswer: (run, turn, mark) =>
      bus.ask(answerRunAsk, {
        to: parseParty(run.companyRegion),
        // Without a mark each call is a new one: a refusal of a minute ago may not hold any more.
        id: `run_answer:${run.id}:${mark ?? ids.uuid()}`,
        body: { ...nameToWire(run), ...turn },
      }),
    askToCancel: (run, reason, mark) =>
      bus.ask(cancelRunAsk, {
        to: parseParty(run.companyRegion),
        id: `run_cancel:${run.id}:${mark ?? ids.uuid()}`,
        body: { ...nameToWire(run), reason },
      }),
    askToTakeFile: (run, { slug, forUserId, length, offer }) =>
      bus.ask(takeAnswerFileAsk, {
        to: parseParty(run.companyRegion),
        timeoutMs: COPY_TIMEOUT_MS,
        body: { ...nameToWire(run), slug, for_user_id: forUserId, length, offer },
      }),
    async askForInput(run) {
      return (await bus.ask(allowInputAsk, { to: parseParty(run.companyRegion), body: nameToWire(run) })).refusal
    },
    askToGenerate: (run, { otk, values, inputs, fileSlugs }) =>
      bus.ask(generateRunAsk, {
        to: parseParty(run.companyRegion),
        timeoutMs: GENERATE_TIMEOUT_MS,
        body: {
          ...nameToWire(run),
          otk: otk.reveal(),
          values,
          inputs: inputs?.map(({ sourceKey, offer }) => ({ source_key: sourceKey, file: offer })) ?? null,
          file_slugs: [...fileSlugs],
        },
      }),
    askForPass: (run) => bus.ask(passForRunAsk, { to: parseParty(run.companyRegion), body: nameToWire(run) }),
    async askForFile(run, file) {
      const body = { ...nameToWire(run), file }
      return (await bus.ask(readRunFileAsk, { to: parseParty(run.companyRegion), body })).file
    },
  }
}

function nameToWire({ companyId, serviceId, connectionId, accountId, id }: CustomerRun) {
  return {
    company_id: companyId,
    service_id: serviceId,
    connection_id: connectionId,
    customer_id: accountId,
    run_id: id,
  }
}

/** Handles messages of the services' regions. A region may act only for its own services. */
export function hearAsCustomer(bus: Bus, context: CustomerContext): void {
  bus.onTell(runTell, async (tx, { from, body }) => {
    const { state, start, answers } = body
    await hearRun(context, tx, { ...readNames(body, from), state, start, answers })
  })
  bus.onTell(runFileTell, async (tx, { from, body, attachment }) => {
    await hearFile(context, tx, { ...readNames(body, from), file: body.file, slug: body.slug, attachment })
  })
  bus.onRead(stageSourceAsk, async ({ from, body }) => {
    const { file, url, sha256, bytes } = body
    return { is_taken: await stageFile(context, { ...readConnected(body, from), file, url, sha256, bytes }) }
  })
  bus.onRead(readLanguageAsk, async ({ from, body }) => ({
    language: await readLanguage(context, readConnected(body, from)),
  }))
  bus.onRead(readSourceAsk, async ({ from, body }) => ({
    file: await offerStaged(context, readConnected(body, from), body.file),
  }))
}

interface ConnectedBody {
  readonly company_id: string
  readonly service_id: string
  readonly connection_id: string
  readonly customer_id: string
}

function readConnected(body: ConnectedBody, from: string) {
  return {
    companyId: readId<CustomerRun['companyId']>(body.company_id),
    serviceId: readId<CustomerRun['serviceId']>(body.service_id),
    companyRegion: from,
    accountId: readId<CustomerRun['accountId']>(body.customer_id),
    connectionId: readId<CustomerRun['connectionId']>(body.connection_id),
  }
}

function readNames(body: ConnectedBody & { readonly run_id: string }, from: string) {
  return { ...readConnected(body, from), id: readId<CustomerRun['id']>(body.run_id) }
}
