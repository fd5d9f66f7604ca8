import { isAttested } from '@sealpost/crypto'
import { instant } from '@sealpost/kernel'
import { addressOf } from '../address.ts'
import type { Envelope } from '../files/envelope.ts'
import { readFileAnswer } from '../files/open-file.ts'
import type { FlowAnswers } from '../flows/answer.ts'
import { describeStep } from '../flows/describe-step.ts'
import { FlowError } from '../flows/flow-error.ts'
import type { FlowTurn } from '../flows/flow-turn.ts'
import { type GeneratedDocuments, generateDocuments, type GenerateSending } from '../flows/generate-documents.ts'
import { openAnswers, readReference } from '../flows/open-answers.ts'
import { openRunFile } from '../flows/open-run-file.ts'
import { openTags } from '../flows/open-tags.ts'
import { OpenTurn } from '../flows/open-turn.ts'
import type { OpenedAnswer } from '../flows/opened-answer.ts'
import { pinDefinition } from '../flows/pinned-definition.ts'
import { pinParties } from '../flows/pinned-parties.ts'
import { privateCopies } from '../flows/private-copies.ts'
import { type AwaitedParty, awaitedParty, type FlowRun, type FlowRunSummary, isOver } from '../flows/run.ts'
import type { Recipient } from '../flows/seal-answers.ts'
import { openSigningStep, ownCopyOf, type SigningStep, signingSteps } from '../flows/signing-steps.ts'
import type { FlowStep } from '../flows/step.ts'
import { evaluateStep, takeTurn, type TurnSending, type TurnTaker, withoutKey } from '../flows/take-turn.ts'
import { type WaitOptions, waitForRun } from '../flows/wait-for-run.ts'
import { followInputs, openPluginField, settleFields } from '../forwarder/flow-plugin-field.ts'
import type { PluginField } from '../forwarder/plugin-field.ts'
import { passOf, type ReadPass } from '../forwarder/plugin-pass.ts'
import type { PluginTrust } from '../forwarder/plugin-trust.ts'
import { hostPlatform } from '../keys/host.ts'
import type { Keys } from '../keys/keys.ts'
import { KeyChangedError } from '../keys/pins.ts'
import { fingerprintOf, PublicKey } from '../keys/public-key.ts'
import type { CallOptions } from '../options.ts'
import {
  answerCustomerRun,
  cancelCustomerRun,
  createCustomerRunPass,
  generateCustomerRun,
  listCustomerRuns,
  readCompanyConnection,
  readCustomerRun,
  storeCustomerAnswerFile,
  storeCustomerRunInput,
} from '../routes.generated.ts'
import { UntrustedAnswerError } from '../untrusted.ts'
import type { Wire } from '../wire.ts'
import { trustedRecord } from './connection-record.ts'
import { linkOf } from './connections.ts'
import type { ContactData } from './contact-data.ts'
import type { OpenedFile, OwnDocuments } from './documents.ts'
import { rememberLinks } from './flow-links.ts'
import type { OwnConnection } from './own-connections.ts'
import type { CustomerSession } from './session.ts'

/** Names a run of one of the customer's connections; every run and every item of a list has both members. */
export type OwnRunName = Pick<FlowRun, 'id' | 'connection_id'>

/** The call answers the same documents however often it is made. */
const generate = { ...generateCustomerRun, repeatable: true } as const

/** The parts of the client that runs need. */
export interface OwnFlowParts {
  readonly contactData: ContactData
  readonly documents: OwnDocuments
  readonly keys: Keys
  readonly wire: Wire
  readonly acceptsNewKeys: boolean
}

/** Runs of services' contract flows that the customer takes part in. */
export class OwnFlows {
  readonly #session: CustomerSession
  readonly #contactData: ContactData
  readonly #documents: OwnDocuments
  readonly #keys: Keys
  readonly #wire: Wire
  readonly #trust: Omit<PluginTrust, 'company'>

  constructor(session: CustomerSession, parts: OwnFlowParts) {
    this.#session = session
    this.#contactData = parts.contactData
    this.#documents = parts.documents
    this.#keys = parts.keys
    this.#wire = parts.wire
    this.#trust = { pins: session.pins, acceptsNewKeys: parts.acceptsNewKeys }
  }

  /** The runs of one connection, newest first, at most 500. */
  async list(connectionId: string, options?: CallOptions): Promise<readonly FlowRunSummary[]> {
    return (await this.#session.send(listCustomerRuns, { params: { id: connectionId } }, options)).runs
  }

  get(connectionId: string, runId: string, options?: CallOptions): Promise<FlowRun> {
    return this.#session.send(readCustomerRun, { params: { id: connectionId, runId } }, options)
  }

  /** The party that the run waits for; null while documents are made or signed, and when it is over. */
  async whoseTurn(run: FlowRun, options?: CallOptions): Promise<AwaitedParty | null> {
    return awaitedParty(run, (await this.#session.me(options)).id)
  }

  /**
   * The current step as it is with these answers: what it asks for, what is missing, and the step after it. Sends no
   * answer. Throws a `FlowError` when it is not the customer's turn.
   */
  async step(name: OwnRunName, answers: FlowAnswers = {}, options: CallOptions = {}): Promise<FlowStep> {
    const run = await this.#known(name, options)
    const taker = await this.#taker(options)
    const followed = await followInputs(run, answers, taker)
    return describeStep(await evaluateStep(run, followed, taker), await openTags(run, taker.open))
  }

  /**
   * Takes the customer's turn. The answers are validated by the pinned definition and sealed for every participant before
   * anything is sent; the next step is chosen on this side. Throws a `FlowError` when nothing was sent.
   */
  async answer(name: OwnRunName, answers: FlowAnswers, options: CallOptions = {}): Promise<FlowRun> {
    const run = await this.#known(name, options)
    const taker = await this.#taker(options)
    const settled = await settleFields(run, answers, taker, withoutKey(options))
    return takeTurn(run, settled, taker, this.#sending(run, options))
  }

  /**
   * Begins the customer's turn, for an app in which a person fills it in: the run is read and opened once, every change is
   * evaluated without a call, and several steps of the customer in a row are sent together.
   */
  async begin(name: OwnRunName, options: CallOptions = {}): Promise<FlowTurn> {
    const run = await this.#known(name, options)
    const held = holding(await this.#taker(options))
    const turn = new OpenTurn(run, {
      wire: this.#wire,
      readPass: this.#readPass(name),
      trust: this.#trust,
      held,
      tags: await openTags(run, held.open),
      taker: () => this.#taker({}),
      readAgain: () => this.#known(name, {}),
      sendingOf: (of) => this.#sending(of, {}),
    })
    // Refuses a run that does not wait for the customer.
    await turn.steps()
    return turn
  }

  /**
   * Opens a plugin field of the current step; `answers` are those given so far, which its inputs may read. Give the field
   * back to `step` and `answer` as `{plugin: field}`: they keep its inputs up to date.
   */
  async plugin(
    name: OwnRunName,
    slug: string,
    answers: FlowAnswers = {},
    options: CallOptions = {},
  ): Promise<PluginField> {
    const run = await this.#known(name, options)
    const side = { wire: this.#wire, readPass: this.#readPass(name), trust: this.#trust }
    const step = { run, taker: await this.#taker(options), ...side }
    return openPluginField(step, slug, answers, withoutKey(options))
  }

  /** The answers of all parties, opened, by slug. */
  async open(run: FlowRun, options: CallOptions = {}): Promise<Readonly<Record<string, OpenedAnswer>>> {
    return Object.fromEntries(await openAnswers(run, await this.#taker(options)))
  }

  /** The files of a file answer. */
  async readFile(run: FlowRun, slug: string, options: CallOptions = {}): Promise<Envelope> {
    const { id: ownId } = await this.#session.me(options)
    const answer = run.answers.find((one) => one.slug === slug && one.for_user_id === ownId)
    const file = answer === undefined ? null : (readReference(answer.value)?.file ?? null)
    if (file === null) throw new TypeError(`run ${run.id} holds no file for ${slug}`)
    return this.#readFile(run, file, options)
  }

  /** A file that a customer had shared when the run started; `source_files` of the run lists them. */
  async readSource(run: FlowRun, sourceKey: string, options: CallOptions = {}): Promise<Envelope> {
    const file = run.source_files[sourceKey]
    if (file === undefined) throw new TypeError(`run ${run.id} has no source ${sourceKey}`)
    return this.#readFile(run, file, options)
  }

  /**
   * Makes the documents of a run, which the party that answered its last step does: the answers and the participants' PDFs
   * that its rules name are opened here and handed to the platform under a one-time key, which fills the templates in
   * memory. It may be called again after a failure; once the documents are made, it answers them.
   */
  async generate(name: OwnRunName, options: CallOptions = {}): Promise<GeneratedDocuments> {
    const [params, reading] = [{ id: name.connection_id, runId: name.id }, withoutKey(options)]
    const { send } = this.#session
    const read = () => this.#known(name, reading)
    const sending: GenerateSending = {
      readAgain: read,
      readSource: (of, source) =>
        source.slug === null ? this.readSource(of, source.key, reading) : this.readFile(of, source.slug, reading),
      storeInput: (body) => send(storeCustomerRunInput, { params, body }, reading),
      generate: (body) => send(generate, { params, body }, reading),
    }
    return generateDocuments(await read(), await this.#taker(reading), sending)
  }

  /** All steps of the signing line, in their order; empty until the documents are made. */
  async signingSteps(run: FlowRun, options?: CallOptions): Promise<readonly SigningStep[]> {
    return signingSteps(run, (await this.#session.me(options)).id)
  }

  /** The step of the signing line that the run waits for; null when there is none. */
  async openStep(run: FlowRun, options?: CallOptions): Promise<SigningStep | null> {
    return openSigningStep(run, (await this.#session.me(options)).id)
  }

  /**
   * The own copy of a document of the run, by the key of its output; the sealed PDF once its last signer has acted. Show
   * it, then give it to `documents.sign` or `documents.accept`; `documents.decline` cancels the run.
   */
  async openDocument(run: FlowRun, outputKey: string, options?: CallOptions): Promise<OpenedFile> {
    const { document_id: id } = ownCopyOf(run, (await this.#session.me(options)).id, outputKey)
    const opened = await this.#documents.open(run.connection_id, id, options)
    if (opened.kind !== 'file') throw new UntrustedAnswerError('document_changed', `document ${id}`)
    return opened
  }

  /** Resolves when a step of the signing line is open for the customer, or when the run is over: look at its `status`. */
  waitForStep(name: OwnRunName, options: WaitOptions = {}): Promise<FlowRun> {
    return this.#wait(name, options, async (run) => isOver(run) || (await this.openStep(run, options))?.isOwn === true)
  }

  /** Ends the run, which the other participants see with the reason. */
  cancel(name: OwnRunName, reason?: string, options?: CallOptions): Promise<FlowRun> {
    const params = { id: name.connection_id, runId: name.id }
    return this.#session.send(cancelCustomerRun, { params, body: reason === undefined ? {} : { reason } }, options)
  }

  /** Resolves when it is the customer's turn, or when the run is over: look at its `status`. */
  waitForTurn(name: OwnRunName, options: WaitOptions = {}): Promise<FlowRun> {
    return this.#wait(name, options, async (run) => isOver(run) || (await this.whoseTurn(run, options))?.isOwn === true)
  }

  /** Resolves when the run is completed or cancelled. Programs that run for long follow events or hints instead. */
  waitForEnd(name: OwnRunName, options: WaitOptions = {}): Promise<FlowRun> {
    return this.#wait(name, options, isOver)
  }

  #wait(name: OwnRunName, options: WaitOptions, isReached: (run: FlowRun) => boolean | Promise<boolean>) {
    return waitForRun(this.#wire, () => this.get(name.connection_id, name.id, options), isReached, options)
  }

  /** With the definition that this side has pinned. */
  async #known(name: OwnRunName, options: CallOptions): Promise<FlowRun> {
    const run = await this.get(name.connection_id, name.id, options)
    await pinDefinition(this.#session.pins, name.id, run)
    return run
  }

  #readPass(name: OwnRunName): ReadPass {
    const params = { id: name.connection_id, runId: name.id }
    return async (options) => passOf(await this.#session.send(createCustomerRunPass, { params }, options))
  }

  #sending(run: FlowRun, options: CallOptions): TurnSending {
    const { id: runId, connection_id: id } = run
    const params = { id, runId }
    const { send } = this.#session
    return {
      recipients: () => this.#recipients(run, options),
      storeFile: (body) => send(storeCustomerAnswerFile, { params, body }, withoutKey(options)),
      submit: (body) => send(answerCustomerRun, { params, body }, options),
      beforeSending: ({ drafts }) => rememberLinks(this.#session, this.#contactData, id, drafts, withoutKey(options)),
    }
  }

  async #taker(options: CallOptions): Promise<TurnTaker> {
    const [{ id: userId }, types, key] = [
      await this.#session.me(options),
      await this.#session.types(options),
      await this.#session.key(),
    ]
    const contactData = this.#contactData
    const now = this.#wire.now()
    return {
      userId,
      types,
      open: (wrapper) => key.open(wrapper),
      attest: async (members, text) =>
        (await isAttested(hostPlatform(), members, text, instant(now))) ? 'attested' : 'not_attested',
      profile: {
        async read(fieldId) {
          const record = await contactData.get(fieldId, options)
          const text = await contactData.textOf(record, options)
          return { record, text, isPrivate: await contactData.countsAsPrivate(record) }
        },
      },
      now,
      privates: privateCopies(this.#session.pins),
    }
  }

  /** The company's copy is sealed to the service that the customer connected to, others to the pinned keys of their users. */
  async #recipients(run: FlowRun, options: CallOptions): Promise<readonly Recipient[]> {
    const { send, pins } = this.#session
    const connection = await send(readCompanyConnection, { params: { id: run.connection_id } }, options)
    const service = await this.#serviceKey(run, connection)
    await pinParties(pins, run)
    const { id: ownId } = await this.#session.me(options)
    const { company_user_id: companyUserId, bindings } = run
    const others = [...new Set(Object.values(bindings))].filter((id) => id !== companyUserId && id !== ownId)
    const found = others.length === 0 ? new Map<string, string>() : await this.#keys.readMany(others, options)
    const recipients: Recipient[] = [
      { userId: companyUserId, key: service },
      { userId: ownId, key: await this.#session.own(options) },
    ]
    for (const userId of others) {
      const theirs = found.get(userId)
      if (theirs === undefined) throw new FlowError('key_missing', `run ${run.id}, user ${userId}`)
      recipients.push({ userId, key: await PublicKey.import(theirs) })
    }
    return recipients
  }

  async #serviceKey(run: FlowRun, connection: OwnConnection): Promise<PublicKey> {
    const { service_id: serviceId, public_key: publicKey } = linkOf(connection)
    const isOurs = run.company_user_id === connection.company.user_id && run.service_id === serviceId
    if (!isOurs) throw new UntrustedAnswerError('run_parties', `run ${run.id}`)
    const { code, service_key: known } = await trustedRecord(this.#session, connection)
    const fingerprint = await fingerprintOf(publicKey)
    if (fingerprint !== known) throw new KeyChangedError(`service ${code}`, known, fingerprint)
    return PublicKey.import(publicKey)
  }

  async #readFile(name: OwnRunName, file: string, { signal }: CallOptions): Promise<Envelope> {
    const path = '/api/company-connections/{id}/flow-runs/{runId}/answer-files/{file}'
    const params = { id: name.connection_id, runId: name.id, file }
    const answer = await this.#session.readStream(
      (apiUrl) => addressOf(apiUrl, path, params, {}),
      signal,
      readFileAnswer,
    )
    const key = await this.#session.key()
    return openRunFile(answer, (wrapper) => key.open(wrapper))
  }
}

/** Opens and reads everything once. */
function holding(taker: TurnTaker): TurnTaker {
  const { open, profile, privates } = taker
  const held = { ...privates, has: once((wrapper) => privates.has(wrapper)) }
  return {
    ...taker,
    privates: held,
    open: once(open),
    profile: profile === null ? null : { read: once((id) => profile.read(id)) },
  }
}

function once<T>(read: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const known = new Map<string, Promise<T>>()
  return (key) => {
    const reading = known.get(key) ?? read(key)
    known.set(key, reading)
    // A failure is not kept.
    reading.catch(() => known.delete(key))
    return reading
  }
}
