import { type Bus, parseParty } from '@sealpost/bus'
import { parseUuid, Secret, type UserId } from '@sealpost/kernel'
import { copyIn, parseSha256 } from '@sealpost/objects'
import {
  allowInputAsk,
  answerRunAsk,
  cancelRunAsk,
  generateRunAsk,
  passForRunAsk,
  readLanguageAsk,
  readRunFileAsk,
  readSourceAsk,
  refuse,
  runFileTell,
  runTell,
  stageSourceAsk,
  takeAnswerFileAsk,
} from '@sealpost/protocol'
import { readId } from '../../../platform/bus-values.ts'
import { announceObject } from '../../vault/index.ts'
import { allowInput, generate, handedOver } from '../generation/index.ts'
import type { Addressee, RunMessages, ServiceSideContext } from '../service-side/context.ts'
import type { Actor, RunName, SourceFile, StoredRun } from '../service-side/model.ts'
import { allowUpload, keepAnswerFile } from '../service-side/operations/answer-files.ts'
import { cancelRun } from '../service-side/operations/cancel-run.ts'
import { passForTurn } from '../service-side/operations/pass-for-turn.ts'
import { runState } from '../service-side/operations/read-runs.ts'
import { offerToCustomer } from '../service-side/operations/source-files.ts'
import { takeTurn } from '../service-side/operations/take-turn.ts'

/** The customer's region copies the file before it answers. */
const COPY_TIMEOUT_MS = 30_000

/** Tells about a run are ordered by the connection of their reader, like its opening and end. */
export function runMessages(bus: Bus): RunMessages {
  return {
    tellRun: (tx, run, news) =>
      bus.tellAll(
        tx,
        runTell,
        news.map(({ to, state, start, answers }) => ({
          to: parseParty(to.customer.region),
          key: to.customer.connectionId,
          // Parsed here with the receiver's parser: a body that it cannot read would block the lane.
          body: runTell.parse({ ...nameToWire(run, to), state, start, answers: [...answers] }),
        })),
      ),
    tellFile: (tx, run, to, { id, slug, object: { objectKey, sha256, bytes } }) =>
      bus.tell(tx, runFileTell, {
        to: parseParty(to.customer.region),
        key: to.customer.connectionId,
        body: { ...nameToWire(run, to), file: id, slug },
        attachment: { objectKey, sha256, bytes },
      }),
    async askToStage(source, offer) {
      const { is_taken } = await bus.ask(stageSourceAsk, {
        to: parseParty(source.region),
        timeoutMs: COPY_TIMEOUT_MS,
        body: { ...sourceToWire(source), ...offer },
      })
      return is_taken
    },
    async askForLanguage({ companyId, serviceId }, { userId, customer: { connectionId, region } }) {
      const body = { company_id: companyId, service_id: serviceId, connection_id: connectionId, customer_id: userId }
      return (await bus.ask(readLanguageAsk, { to: parseParty(region), body })).language
    },
    async askForSource(source) {
      return (await bus.ask(readSourceAsk, { to: parseParty(source.region), body: sourceToWire(source) })).file
    },
  }
}

function nameToWire({ companyId, serviceId, id }: StoredRun, { userId, customer }: Addressee) {
  return {
    company_id: companyId,
    service_id: serviceId,
    connection_id: customer.connectionId,
    customer_id: userId,
    run_id: id,
  }
}

function sourceToWire({ companyId, ...source }: SourceFile & { readonly companyId: string }) {
  return {
    company_id: companyId,
    service_id: source.serviceId,
    connection_id: source.connectionId,
    customer_id: source.sourceUserId,
    file: source.id,
  }
}

/** Handles asks of the customers' regions. */
export function answerAsService(bus: Bus, context: ServiceSideContext): void {
  bus.onRead(readRunFileAsk, async ({ from, body }) => ({
    file: await offerToCustomer(context, readName(body), readActor(body, from), body.file),
  }))
  bus.onRead(takeAnswerFileAsk, async ({ from, body }) => {
    const name = readName(body)
    const upload = { slug: body.slug, userId: body.for_user_id, length: body.length }
    const allowed = await allowUpload(context, name, readActor(body, from), upload)
    if (!allowed.ok) return { file: null, refusal: allowed.refusal }
    if (body.offer === null) return { file: null, refusal: null }
    const object = await takeOffer(context, body.offer)
    return { file: await keepAnswerFile(context, name, { ...upload, forUserId: allowed.value, object }), refusal: null }
  })
  bus.onRead(allowInputAsk, async ({ from, body }) => {
    const allowed = await allowInput(context, readName(body), readActor(body, from))
    return { refusal: allowed.ok ? null : allowed.refusal }
  })
  bus.onRead(passForRunAsk, async ({ from, body }) => {
    const pass = await passForTurn(context, readName(body), readActor(body, from))
    return pass.ok
      ? { outcome: 'done' as const, pass: pass.value }
      : { outcome: 'refused' as const, refusal: pass.refusal }
  })
  bus.onRead(generateRunAsk, async ({ from, body }) => {
    const generated = await generate(context, readName(body), readActor(body, from), handedOver(context, body))
    if (!generated.ok) return { outcome: 'refused' as const, ...generated.refusal }
    return { outcome: 'done' as const, state: await context.database.read((read) => runState(read, generated.value)) }
  })
  bus.onAsk(answerRunAsk, async (tx, { from, body }) => {
    const { answers, next_node, leaf } = body
    const taken = await takeTurn(context, tx, readName(body), readActor(body, from), { answers, next_node, leaf })
    if (!taken.ok) return { outcome: 'refused' as const, refusal: taken.refusal }
    return { outcome: 'done' as const, state: await runState(tx, taken.value.run), answers: [...taken.value.copies] }
  })
  bus.onAsk(cancelRunAsk, async (tx, { from, body }) => {
    const cancelled = await cancelRun(context, tx, readName(body), readActor(body, from), body.reason)
    if (!cancelled.ok) return { outcome: 'refused' as const, refusal: cancelled.refusal }
    return { outcome: 'done' as const, state: await runState(tx, cancelled.value), answers: [] }
  })
}

async function takeOffer(
  context: ServiceSideContext,
  { url, sha256: text, bytes }: { readonly url: string; readonly sha256: string; readonly bytes: number },
) {
  const sha256 = parseSha256(text)
  if (sha256 === null) throw new Error('invalid digest of an offered file')
  const objectKey = await announceObject(context)
  const expected = { key: objectKey, sha256, maxBytes: bytes, contentType: 'application/json' }
  const copied = await copyIn(context, new Secret(url), expected)
  // The file store of the customer's region is away, or its link has expired: a new upload may succeed.
  if (!copied.ok) throw refuse('region.unreachable')
  return { objectKey, sha256, bytes: copied.value.sizeBytes }
}

interface RunBody {
  readonly service_id: string
  readonly customer_id: string
  readonly run_id: string
}

function readName(body: RunBody): RunName {
  return { serviceId: readId(body.service_id), id: readId(body.run_id) }
}

/** The region that asks speaks for its own customers only: `isActor` compares it. */
function readActor(body: RunBody, from: string): Actor {
  const userId = parseUuid<UserId>(body.customer_id)
  if (userId === null) throw new Error('invalid customer in a bus message')
  return { userId, region: from }
}
