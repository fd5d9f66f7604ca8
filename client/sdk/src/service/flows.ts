import { addressOf } from '../address.ts'
import { isSealpostError } from '../errors.ts'
import type { Envelope } from '../files/envelope.ts'
import type { Files } from '../files/files.ts'
import { readFileAnswer } from '../files/open-file.ts'
import type { FlowAnswers } from '../flows/answer.ts'
import { describeStep } from '../flows/describe-step.ts'
import { FlowError } from '../flows/flow-error.ts'
import { type GeneratedDocuments, generateDocuments, type GenerateSending } from '../flows/generate-documents.ts'
import { openAnswers } from '../flows/open-answers.ts'
import { openRunFile } from '../flows/open-run-file.ts'
import { openTags } from '../flows/open-tags.ts'
import type { OpenedAnswer } from '../flows/opened-answer.ts'
import { pinDefinition, readDefinition } from '../flows/pinned-definition.ts'
import { pinParties } from '../flows/pinned-parties.ts'
import { privateCopies } from '../flows/private-copies.ts'
import { type OpenedRunDocument, openRunDocument } from '../flows/run-document.ts'
import { type AwaitedParty, awaitedParty, type FlowRun, type FlowRunSummary, isOver } from '../flows/run.ts'
import type { Recipient } from '../flows/seal-answers.ts'
import { openSigningStep, type SigningStep, signingSteps } from '../flows/signing-steps.ts'
import type { FlowStep } from '../flows/step.ts'
import { evaluateStep, takeTurn, type TurnSending, type TurnTaker, withoutKey } from '../flows/take-turn.ts'
import { type WaitOptions, waitForRun } from '../flows/wait-for-run.ts'
import { followInputs, openPluginField, settleFields } from '../forwarder/flow-plugin-field.ts'
import type { PluginField } from '../forwarder/plugin-field.ts'
import { passOf } from '../forwarder/plugin-pass.ts'
import type { Keys } from '../keys/keys.ts'
import type { KeyPins } from '../keys/pins.ts'
import type { ServiceKey } from '../keys/private-keys.ts'
import { PublicKey } from '../keys/public-key.ts'
import type { CallOptions } from '../options.ts'
import { everyItem, pageQuery } from '../pages.ts'
import {
  answerRun,
  cancelRun,
  createRunPass,
  generateRun,
  listRuns,
  readPublishedFlow,
  readRun,
  stageRunFile,
  startRun,
  storeAnswerFile,
  storeRunInput,
  whoami,
} from '../routes.generated.ts'
import type { Send } from '../send.ts'
import type { ReadPublishedFlowAnswer } from '../shapes.generated.ts'
import type { ReadStream } from '../streamed.ts'
import type { FieldTypes } from '../values/field-types.ts'
import type { Values } from '../values/values.ts'
import type { Wire } from '../wire.ts'
import type { Connections } from './connections.ts'
import { type RunFilter, runQuery } from './run-filter.ts'
import { prepareStart, type StartSources } from './run-start.ts'
import type { RunTargets } from './run-targets.ts'

/** The latest published version of a flow. */
export type PublishedFlow = ReadPublishedFlowAnswer

/** The parts of the client that runs need. */
export interface FlowParts {
  readonly connections: Connections
  readonly keys: Keys
  readonly values: Values
  readonly files: Files
  readonly pins: KeyPins
  readonly readStream: ReadStream
  readonly types: (options?: CallOptions) => Promise<FieldTypes>
  readonly wire: Wire
  readonly acceptsNewKeys: boolean
}

/** The call answers the same documents however often it is made. */
const generate = { ...generateRun, repeatable: true } as const

/** Runs of the service's contract flows. The flows themselves are written and published in the portal. */
export class Flows {
  readonly #send: Send
  readonly #parts: FlowParts

  constructor(send: Send, parts: FlowParts) {
    this.#send = send
    this.#parts = parts
  }

  /** The version that a new run pins. */
  published(flowId: string, options?: CallOptions): Promise<PublishedFlow> {
    return this.#send(readPublishedFlow, { params: { flowId } }, options)
  }

  /**
   * Starts a run of the latest published version. Values and files of customers that its texts and documents name are read
   * from the connections and sealed for every participant. When another version is published meanwhile, this is repeated
   * once with that one.
   */
  async start(flowId: string, targets: RunTargets, key: ServiceKey, options: CallOptions = {}): Promise<FlowRun> {
    try {
      return await this.#start(flowId, targets, key, options)
    } catch (error) {
      if (!isSealpostError(error, 'flows.version_changed')) throw error
      // The refusal is stored under the caller's own key, so the repeat needs another one.
      const { idempotencyKey } = options
      const again = idempotencyKey === undefined ? {} : { idempotencyKey: `${idempotencyKey}.again` }
      return this.#start(flowId, targets, key, { ...options, ...again })
    }
  }

  async #start(flowId: string, targets: RunTargets, key: ServiceKey, options: CallOptions): Promise<FlowRun> {
    const reading = withoutKey(options)
    const published = await this.published(flowId, reading)
    const definition = readDefinition(published.definition, `flow ${flowId}, version ${published.version}`)
    const sources: StartSources = {
      ...this.#parts,
      companyUserId: async () => (await this.#send(whoami, {}, reading)).company_user_id,
      stage: (body) => this.#send(stageRunFile, { params: { flowId }, body }, reading),
    }
    const prepared = await prepareStart(sources, definition, published, targets, key, reading)
    const body = { ...targets, flow_version: published.version, ...prepared }
    return this.#send(startRun, { params: { flowId }, body }, options)
  }

  /** All runs, oldest first, read page by page. */
  list(filter: RunFilter = {}, options?: CallOptions): AsyncGenerator<FlowRunSummary, void, undefined> {
    const wanted = runQuery(filter)
    return everyItem((cursor) => this.#send(listRuns, { query: { ...wanted, ...pageQuery(cursor) } }, options))
  }

  get(runId: string, options?: CallOptions): Promise<FlowRun> {
    return this.#send(readRun, { params: { runId } }, options)
  }

  /** The party that the run waits for; null while documents are made or signed, and when it is over. */
  whoseTurn(run: FlowRun): AwaitedParty | null {
    return awaitedParty(run, run.company_user_id)
  }

  /**
   * The current step of the own company as it is with these answers: what it asks for, what is missing, and the step after
   * it. Sends no answer. Throws a `FlowError` when it is not the company's turn.
   */
  async step(runId: string, key: ServiceKey, answers: FlowAnswers = {}, options?: CallOptions): Promise<FlowStep> {
    const run = await this.#known(runId, options)
    const taker = await this.#taker(run, key, options)
    const prepared = await evaluateStep(run, await followInputs(run, answers, taker), taker)
    return describeStep(prepared, await openTags(run, (wrapper) => key.open(wrapper)))
  }

  /**
   * Takes the own company's turn. The answers are validated by the pinned definition and sealed for every participant
   * before anything is sent; the next step is chosen on this side. Throws a `FlowError` when nothing was sent.
   */
  async answer(runId: string, answers: FlowAnswers, key: ServiceKey, options: CallOptions = {}): Promise<FlowRun> {
    const run = await this.#known(runId, options)
    const params = { runId }
    const sending: TurnSending = {
      recipients: () => this.#recipients(run, key, options),
      storeFile: (body) => this.#send(storeAnswerFile, { params, body }, withoutKey(options)),
      submit: (body) => this.#send(answerRun, { params, body }, options),
    }
    const taker = await this.#taker(run, key, options)
    return takeTurn(run, await settleFields(run, answers, taker, withoutKey(options)), taker, sending)
  }

  /**
   * Opens a plugin field of the current step; `answers` are those given so far, which its inputs may read. Give the field
   * back to `step` and `answer` as `{plugin: field}`: they keep its inputs up to date.
   */
  async plugin(
    runId: string,
    slug: string,
    key: ServiceKey,
    answers: FlowAnswers = {},
    options: CallOptions = {},
  ): Promise<PluginField> {
    const run = await this.#known(runId, options)
    const taker = await this.#taker(run, key, options)
    const readPass = async (passOptions: CallOptions) =>
      passOf(await this.#send(createRunPass, { params: { runId } }, passOptions))
    const { wire, pins, acceptsNewKeys } = this.#parts
    const side = { wire, readPass, trust: { pins, acceptsNewKeys } }
    return openPluginField({ run, taker, ...side }, slug, answers, withoutKey(options))
  }

  /** The answers of all parties, opened, by slug. */
  async open(run: FlowRun, key: ServiceKey): Promise<Readonly<Record<string, OpenedAnswer>>> {
    return Object.fromEntries(await openAnswers(run, await this.#taker(run, key)))
  }

  /** The files of a file answer. */
  readFile(run: FlowRun, slug: string, key: ServiceKey, options: CallOptions = {}): Promise<Envelope> {
    return this.#readFile(
      '/api/company-data/flow-runs/{runId}/slots/{slug}/file',
      { runId: run.id, slug },
      key,
      options,
    )
  }

  /** A file that a customer had shared when the run started; `source_files` of the run lists them. */
  readSource(run: FlowRun, sourceKey: string, key: ServiceKey, options: CallOptions = {}): Promise<Envelope> {
    const path = '/api/company-data/flow-runs/{runId}/source-files/{sourceKey}'
    return this.#readFile(path, { runId: run.id, sourceKey }, key, options)
  }

  /**
   * Makes the documents of a run, which the party that answered its last step does: the answers and the participants' PDFs
   * that its rules name are opened here and handed to the platform under a one-time key, which fills the templates in
   * memory. It may be called again after a failure; once the documents are made, it answers them.
   */
  async generate(runId: string, key: ServiceKey, options: CallOptions = {}): Promise<GeneratedDocuments> {
    const [params, reading] = [{ runId }, withoutKey(options)]
    const run = await this.#known(runId, reading)
    const sending: GenerateSending = {
      readAgain: () => this.#known(runId, reading),
      readSource: (of, source) =>
        source.slug === null
          ? this.readSource(of, source.key, key, reading)
          : this.readFile(of, source.slug, key, reading),
      storeInput: (body) => this.#send(storeRunInput, { params, body }, reading),
      generate: (body) => this.#send(generate, { params, body }, reading),
    }
    return generateDocuments(run, await this.#taker(run, key, reading), sending)
  }

  /** All steps of the signing line, in their order; empty until the documents are made. */
  signingSteps(run: FlowRun): readonly SigningStep[] {
    return signingSteps(run, run.company_user_id)
  }

  /** The step of the signing line that the run waits for; null when there is none. */
  openStep(run: FlowRun): SigningStep | null {
    return openSigningStep(run, run.company_user_id)
  }

  /**
   * The company's own copy of a document of the run, by the key of its output; the sealed PDF once its last signer has
   * acted. Users of the portal sign it: `AccountClient.runDocuments`.
   */
  async openDocument(
    runId: string,
    outputKey: string,
    key: ServiceKey,
    { signal }: CallOptions = {},
  ): Promise<OpenedRunDocument> {
    const path = '/api/company-data/flow-runs/{runId}/documents/{outputKey}/file'
    const address = (apiUrl: string): string => addressOf(apiUrl, path, { runId, outputKey }, {})
    const file = await this.#parts.readStream(address, signal, readFileAnswer)
    return openRunDocument(file, (wrapper) => key.open(wrapper))
  }

  /** Resolves when a step of the signing line is open for the own company, or when the run is over. */
  waitForStep(runId: string, options: WaitOptions = {}): Promise<FlowRun> {
    const isReached = (run: FlowRun): boolean => isOver(run) || this.openStep(run)?.isOwn === true
    return waitForRun(this.#parts.wire, () => this.get(runId, options), isReached, options)
  }

  /** Ends the run; the participants see the reason. */
  cancel(runId: string, reason?: string, options?: CallOptions): Promise<FlowRun> {
    return this.#send(cancelRun, { params: { runId }, body: reason === undefined ? {} : { reason } }, options)
  }

  /** Resolves when it is the own company's turn, or when the run is over: look at its `status`. */
  waitForTurn(runId: string, options: WaitOptions = {}): Promise<FlowRun> {
    const isReached = (run: FlowRun): boolean => isOver(run) || this.whoseTurn(run)?.isOwn === true
    return waitForRun(this.#parts.wire, () => this.get(runId, options), isReached, options)
  }

  /** Resolves when the run is completed or cancelled. Programs that run for long follow the events instead. */
  waitForEnd(runId: string, options: WaitOptions = {}): Promise<FlowRun> {
    return waitForRun(this.#parts.wire, () => this.get(runId, options), isOver, options)
  }

  /** With the definition that this side has pinned. */
  async #known(runId: string, options?: CallOptions): Promise<FlowRun> {
    const run = await this.get(runId, options)
    await pinDefinition(this.#parts.pins, runId, run)
    return run
  }

  async #taker(run: FlowRun, key: ServiceKey, options?: CallOptions): Promise<TurnTaker> {
    return {
      userId: run.company_user_id,
      types: await this.#parts.types(options),
      open: (wrapper) => key.open(wrapper),
      attest: (members, text) => this.#parts.values.verify(members, text),
      profile: null,
      now: this.#parts.wire.now(),
      privates: privateCopies(this.#parts.pins),
    }
  }

  /** The company's copy is sealed to the service's key, every other one to the pinned key of its user. */
  async #recipients(run: FlowRun, { publicKey }: ServiceKey, options: CallOptions): Promise<readonly Recipient[]> {
    await pinParties(this.#parts.pins, run)
    const { company_user_id: companyUserId, bindings } = run
    const others = [...new Set(Object.values(bindings))].filter((userId) => userId !== companyUserId)
    const found = await this.#parts.keys.readMany(others, options)
    const recipients = [{ userId: companyUserId, key: await PublicKey.import(publicKey) }]
    for (const userId of others) {
      const theirs = found.get(userId)
      if (theirs === undefined) throw new FlowError('key_missing', `run ${run.id}, user ${userId}`)
      recipients.push({ userId, key: await PublicKey.import(theirs) })
    }
    return recipients
  }

  async #readFile(
    path: string,
    params: Readonly<Record<string, string>>,
    key: ServiceKey,
    { signal }: CallOptions,
  ): Promise<Envelope> {
    const address = (apiUrl: string): string => addressOf(apiUrl, path, params, {})
    const file = await this.#parts.readStream(address, signal, readFileAnswer)
    return openRunFile(file, (wrapper) => key.open(wrapper))
  }
}
