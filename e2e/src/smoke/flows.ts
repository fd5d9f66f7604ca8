import { AccountKey, CustomerClient, type FlowRun, memoryPins } from '@sealpost/sdk'
import { call, type Calls, flowAuthor, type Installation, logIn, northwind, signUp } from '@sealpost/testkit'
import { intake } from '../flows/intake.ts'
import { all } from '../sharing/parties.ts'
import { pdfWith } from '../sharing/pictures.ts'
import { type Endpoint, openEndpoint } from './endpoint.ts'
import type { Sharing } from './sharing.ts'

const PROOF = pdfWith('a proof of income')
const SOON = { pollSeconds: 0.2, signal: AbortSignal.timeout(600_000) }
const EVENTS = ['flow_run_turn', 'flow_completed'] as const

/** A run of an intake with a company in us as the third party. */
interface Intake extends Sharing {
  readonly endpoint: Endpoint
  readonly guarantor: CustomerClient
  readonly guarantorConnection: string
  readonly flowId: string
}

/** The clinic in eu, Ana and a guarantor in us take their turns in an intake that branches. */
export async function checkFlows(sharing: Sharing, installation: Installation): Promise<void> {
  const { checks, company } = sharing
  const endpoint = await openEndpoint()
  const { account, serviceId } = company
  const webhook = await account.webhooks.create(serviceId, { url: endpoint.url, events: EVENTS })
  try {
    await endpoint.expect(webhook.hmac_secret_once ?? '')
    const flowId = await publish(sharing, installation)
    const guarantor = await openGuarantor(installation)
    const { id: guarantorConnection } = await guarantor.connect(company.code, {
      name: { value: 'Guarantor' },
    })
    await all(company.service.changes.drain())
    const intaking = { ...sharing, endpoint, guarantor, guarantorConnection, flowId }
    const run = await takeTurns(intaking)
    await checkShared(intaking, run)
    await checkEvents(intaking, run)
  } finally {
    await account.webhooks.delete(serviceId, webhook.id)
    await endpoint.close()
  }
  checks.check('the webhook of the intake is deleted', (await all(account.webhooks.list(serviceId))).length === 0)
}

async function publish({ checks, company }: Sharing, installation: Installation): Promise<string> {
  const { email, login } = northwind
  const session = await logIn(installation, { email, authVerifier: login.authVerifier })
  const portal: Calls = (method, path, sent) => call(session, method, path, sent)
  const author = flowAuthor({ serviceId: northwind.serviceId, portal })
  const flow = await author.create(intake(), 'Intake')
  const { version } = await author.publish(flow)
  const published = await company.service.flows.published(flow.flowId)
  checks.check('an author publishes an intake in the portal', version === 1 && published.version === 1)
  return flow.flowId
}

async function openGuarantor(installation: Installation): Promise<CustomerClient> {
  const user = await signUp(installation, { userType: 'company', region: 'us', displayName: 'Guarantor' })
  const session = await logIn(installation, user)
  return new CustomerClient({
    accessToken: () => Promise.resolve(session),
    key: await AccountKey.fromPkcs8(user.keys.privateKey.reveal()),
    userType: 'company',
    pins: memoryPins(),
  })
}

async function takeTurns(intaking: Intake): Promise<FlowRun> {
  const { checks, company, person, connectionId, guarantor, guarantorConnection, flowId } = intaking
  const { flows } = company.service
  const targets = { customer: { connection_id: connectionId }, guarantor: { connection_id: guarantorConnection } }
  const { id, status } = await flows.start(flowId, { targets }, company.key)
  checks.check('the clinic starts a run with two customers, and it is its own turn', status === 'awaiting_us')
  const asked = await flows.answer(id, { amount: { value: 250 } }, company.key)
  checks.check('it answers, and the run waits for Ana', asked.status === 'awaiting_customer')

  const own = { id, connection_id: connectionId }
  await checks.await('the run arrives in us', async () => (await person.app.flows.list(connectionId)).length === 1)
  await person.app.flows.waitForTurn(own, SOON)
  const step = await person.app.flows.step(own, { nick: { value: 'Annie' } })
  const shows = step.elements.some((one) => one.kind === 'text' && one.text === 'The deposit is 250, the fee 5.')
  checks.check('her app shows the amount and the computed fee', shows && step.problems.length === 0)
  checks.check('with that fee her app branches to the proof', step.next.kind === 'step' && step.next.key === 'prove')
  await person.app.flows.answer(own, { nick: { value: 'Annie', private: true } })
  const file = { bytes: PROOF, mimeType: 'application/pdf', originalName: 'income.pdf' }
  const proved = await person.app.flows.answer(own, { proof: { value: { file } } })
  checks.check('she uploads a file, sealed for each of the three', proved.status === 'awaiting_guarantor')

  const theirs = { id, connection_id: guarantorConnection }
  await guarantor.flows.waitForTurn(theirs, SOON)
  const seen = await guarantor.flows.get(guarantorConnection, id)
  const opened = await guarantor.flows.open(seen)
  const income = await guarantor.flows.readFile(seen, 'proof')
  const isRead = opened['nick']?.kind === 'text' && opened['nick'].value === 'Annie' && opened['nick'].isPrivate
  checks.check('the guarantor opens her answers', isRead)
  checks.check('the guarantor opens her file', Buffer.from(income.files[0]?.bytes ?? []).equals(PROOF))
  await guarantor.flows.answer(theirs, { reference: { value: 'G-17' } })
  const done = await flows.waitForEnd(id, SOON)
  checks.check('the last answer completes the run', done.status === 'completed')
  return done
}

async function checkShared({ checks, company, connectionId, guarantorConnection }: Intake, run: FlowRun) {
  const { service, key } = company
  const answers = await service.flows.open(run, key)
  const isWhole = Object.keys(answers).toSorted().join() === 'amount,nick,proof,reference'
  checks.check('the clinic opens the answers of all parties', isWhole)
  const connection = await service.connections.get(connectionId)
  const { nick, amount } = await service.values.decrypt(connection, key)
  const isShared = nick?.kind === 'text' && nick.value === 'Annie' && amount === undefined
  checks.check('her answers are values of her connection, its own are not', isShared)
  const proof = await service.files.readShared(connection, 'proof', key)
  checks.check('so is her file', Buffer.from(proof.files[0]?.bytes ?? []).equals(PROOF))
  const theirs = await service.values.decrypt(await service.connections.get(guarantorConnection), key)
  const { reference } = theirs
  checks.check('the answer of the guarantor is a value of its connection', reference?.kind === 'text')
}

async function checkEvents({ checks, company, guarantor, endpoint }: Intake, run: FlowRun): Promise<void> {
  const turns = 'us,customer,guarantor,flow_completed'
  const names = (events: readonly object[]) =>
    events
      .filter((event) => 'flow_run_id' in event && event.flow_run_id === run.id)
      .map((event) => nameOf(event))
      .join()
  const feed = await all(company.service.changes.drain())
  checks.check('its feed has every turn and the end', names(feed) === turns)
  const updated = feed.filter((change) => change.event === 'field_updated').length
  checks.check('and an event for each shared value', updated === 3)
  await checks.await('its webhook gets every turn and the end', () => Promise.resolve(names(endpoint.taken) === turns))
  await checks.await('the feed of the guarantor has the end', async () =>
    names(await all(guarantor.changes.drain())).endsWith('flow_completed'),
  )
}

function nameOf(event: object): string {
  if ('awaiting_party' in event) return String(event.awaiting_party)
  return 'event' in event ? String(event.event) : ''
}
