import {
  AccountKey,
  CustomerClient,
  type FlowRun,
  memoryPins,
  type OpenedFile,
  type SigningProof,
  type SigningStep,
} from '@sealpost/sdk'
import { call, type Calls, type CompanyPersona, logIn, type PeoplePlace, signUp, waitUntil } from '@sealpost/testkit'
import { addPasskey } from '../documents/sign-with.ts'
import { type Company, openCompany, openPerson, type Person } from '../sharing/parties.ts'
import { HIRED, LINE, PAYSLIP, POLICY, publishEmployment, SHARED_SLUG } from './employment.ts'

const PDF = { mimeType: 'application/pdf' } as const
const DEADLINE_MS = 60_000
const SOON = { pollSeconds: 0.1, signal: AbortSignal.timeout(600_000) }

export type Language = 'de' | 'en'
export type PartyKey = (typeof LINE)[number][0]
export type OutputKey = (typeof LINE)[number][1]

/** An employer in eu, an employee and an agency in us, all by the SDK, and the published flow. */
export interface Hiring {
  readonly employer: Company
  readonly employee: Person
  readonly agency: CustomerClient
  readonly flowId: string
  /** Takes a run to its signing line, the employee's language being this one. */
  hire(language: Language): Promise<FlowRun>
  /** Acts for the party of a step of `LINE`, once it is open. */
  act(runId: string, place: number): Promise<void>
  /** The party's own copy of a document as it is now. */
  open(party: PartyKey, runId: string, output: OutputKey): Promise<Uint8Array>
  /** The run as each party reads it, once it has this status there. */
  seen(party: PartyKey, runId: string, status: string): Promise<FlowRun>
  /** The open copy of a step in the hands of a customer. */
  opened(party: Exclude<PartyKey, 'employer'>, runId: string, output: OutputKey): Promise<OpenedFile>
}

/** The service of the persona must ask for `SHARED_SLUG`. */
export async function openHiring(place: PeoplePlace, persona: CompanyPersona): Promise<Hiring> {
  const employer = await openCompany(place, persona)
  const { email, login, serviceId } = persona
  const session = await logIn(place, { email, authVerifier: login.authVerifier })
  const portal: Calls = (method, path, sent) => call(session, method, path, sent)
  const flowId = await publishEmployment(serviceId, portal)
  const user = await signUp(place, { userType: 'person', region: 'us', displayName: HIRED.name })
  const employee = await openPerson(place, user)
  const proof = await addPasskey({
    authVerifier: user.authVerifier,
    calls: (method, path, sent) => call(employee.session, method, path, sent),
  })
  const agency = await openAgency(place)
  const payslip = { bytes: PAYSLIP, originalName: 'payslip.pdf', ...PDF }
  const name = { value: HIRED.name }
  const { id: ofEmployee } = await employee.app.connect(employer.code, {
    name,
    [SHARED_SLUG]: { value: { file: payslip } },
  })
  const { id: ofAgency } = await agency.connect(employer.code, { name: { value: 'Agency' } })
  return hiringOf({ employer, employee, agency, flowId, proof, ofEmployee, ofAgency })
}

async function openAgency(place: PeoplePlace): Promise<CustomerClient> {
  const user = await signUp(place, { userType: 'company', region: 'us', displayName: 'Placement Ltd' })
  const session = await logIn(place, user)
  const key = await AccountKey.fromPkcs8(user.keys.privateKey.reveal())
  return new CustomerClient({
    accessToken: () => Promise.resolve(session),
    key,
    userType: 'company',
    pins: memoryPins(),
  })
}

interface Hired extends Pick<Hiring, 'employer' | 'employee' | 'agency' | 'flowId'> {
  readonly proof: SigningProof
  readonly ofEmployee: string
  readonly ofAgency: string
}

function hiringOf(hired: Hired): Hiring {
  const { employer, employee, agency, flowId, proof, ofEmployee, ofAgency } = hired
  const { service, key, account, serviceId } = employer
  const customers = {
    employee: { app: employee.app, connection_id: ofEmployee },
    agency: { app: agency, connection_id: ofAgency },
  } as const
  const nameOf = (party: keyof typeof customers, id: string) => ({ id, connection_id: customers[party].connection_id })

  const opened: Hiring['opened'] = async (party, runId, output) => {
    const { app, connection_id } = customers[party]
    return app.flows.openDocument(await app.flows.get(connection_id, runId), output)
  }

  return {
    employer,
    employee,
    agency,
    flowId,
    opened,
    async hire(language) {
      await call(employee.session, 'PUT', '/api/profile', { body: { language } })
      const targets = { employee: { connection_id: ofEmployee }, agency: { connection_id: ofAgency } }
      const { id } = await service.flows.start(flowId, { targets }, key)
      const { position, salary, start, name, reference } = HIRED
      await service.flows.answer(
        id,
        { position: { value: position }, salary: { value: salary }, start: { value: start } },
        key,
      )
      await turn(employee.app, nameOf('employee', id), { full_name: { value: name } })
      const file = { bytes: POLICY, originalName: 'policy.pdf', ...PDF }
      await turn(agency, nameOf('agency', id), { reference: { value: reference }, policy: { value: { file } } })
      await agency.flows.generate(nameOf('agency', id))
      return service.flows.get(id)
    },
    async act(runId, place) {
      const [party, output, act] = LINE[place] ?? LINE[0]
      if (party === 'employer') {
        requireOpen(service.flows.openStep(await service.flows.waitForStep(runId, SOON)), output)
        await account.runDocuments.sign(await account.runDocuments.open({ serviceId, runId, outputKey: output }, key))
        return
      }
      const { app } = customers[party]
      const run = await app.flows.waitForStep(nameOf(party, runId), SOON)
      requireOpen(await app.flows.openStep(run), output)
      const copy = await app.flows.openDocument(run, output)
      if (act === 'sign') await app.documents.sign(copy, proof)
      else await app.documents.accept(copy)
    },
    async open(party, runId, output) {
      if (party === 'employer') return (await service.flows.openDocument(runId, output, key)).file.bytes
      return (await opened(party, runId, output)).file.bytes
    },
    async seen(party, runId, status) {
      const { app, connection_id } = party === 'employer' ? { app: null, connection_id: '' } : customers[party]
      const read = () => (app === null ? service.flows.get(runId) : app.flows.get(connection_id, runId))
      await waitUntil(`${party} sees ${status}`, DEADLINE_MS, async () => (await read()).status === status)
      return read()
    },
  }
}

async function turn(
  app: CustomerClient,
  name: { readonly id: string; readonly connection_id: string },
  answers: Parameters<CustomerClient['flows']['answer']>[1],
): Promise<void> {
  const isThere = async () => (await app.flows.list(name.connection_id)).some(({ id }) => id === name.id)
  await waitUntil('the run has arrived', DEADLINE_MS, isThere)
  await app.flows.waitForTurn(name, SOON)
  await app.flows.answer(name, answers)
}

function requireOpen(step: SigningStep | null, output: string): void {
  if (step?.isOwn !== true || step.outputKey !== output) throw new Error(`the open step is not ${output}`)
}
