import {
  addDevice,
  bodyOf,
  type Calls,
  type Company,
  type Decision,
  enroll,
  membersOf,
  type Person,
  sealTo,
  type Service,
} from '@sealpost/testkit'
import { expect } from 'vitest'
import { copyPath, DOCUMENTS, sendTo } from '../../modules/documents/testing/documents.ts'
import { dataUri, pdfWith } from '../../modules/flows/testing/assets.ts'
import { itemsOf, ownPath, sentPath, write, writeBack } from '../../modules/messages/testing/messages.ts'
import { copiesIn, copyOf, handOver, readPdf, signedWith } from '../../modules/runs/testing/contracts.ts'
import { RUNS } from '../../modules/runs/testing/runs.ts'
import { raise } from '../../modules/twofa/testing/approvals.ts'
import type { Shop } from './shop.ts'

/** A customer with records of every kind. */
export interface Stage extends Shop {
  readonly customer: Person | Company
  readonly connectionId: string
  /** Where the service reads the file that was shared once. */
  readonly scanUrl: string
  /** Of rows, by the names that `records.ts` uses. */
  readonly ids: Readonly<Record<string, string>>
}

const SCAN = { file: dataUri('application/pdf', pdfWith('A scan')), original_name: 'scan.pdf' }

export interface StageWish {
  /** Whether the accepted contract goes on: it prevents the end of a connection. */
  readonly hasOpenContract: boolean
}

export async function openStage(shop: Shop, wish: StageWish): Promise<Stage> {
  const { world, setting, service } = shop
  const customer =
    setting.customerType === 'person'
      ? await world.person({ region: setting.customer })
      : await world.company({ region: setting.customer })
  await (customer.userType === 'person'
    ? customer.put('first_name', 'Mara')
    : customer.put('website', 'https://mara.example'))
  const decisions: readonly Decision[] = [
    { slug: 'name', text: 'Mara' },
    { slug: 'scan', kind: 'one_time', file: SCAN },
  ]
  const connectionId = await customer.connected(service, decisions)
  const scanUrl = await urlOf(service, connectionId)
  const base: Stage = {
    ...shop,
    customer,
    connectionId,
    scanUrl,
    ids: { ...shop.ids, connection: connectionId, customer: customer.userId },
  }
  const ids = {
    ...base.ids,
    ...(await sendDocuments(base, wish)),
    ...(await runFlows(base, wish)),
    ...(await talk(base)),
    ...(customer.userType === 'person' ? await trust(base) : {}),
  }
  return { ...base, ids }
}

/** A letter, an open offer, an accepted contract, and a broadcast. */
async function sendDocuments({ service, customer, connectionId }: Stage, { hasOpenContract }: StageWish) {
  const letter = await sendTo(service, customer, connectionId, { kind: 'document', requires_signature: false })
  const accepting = { requires_signature: false, requires_acceptance: true }
  const offer = await sendTo(service, customer, connectionId, { kind: 'document', ...accepting })
  const contract = await sendTo(service, customer, connectionId, accepting)
  const path = copyPath(connectionId, contract.id)
  await arrived(customer.calls, path)
  const { content_sha256 } = await bodyOf(customer.calls('GET', path))
  await bodyOf(customer.calls('POST', `${path}/accept`, { body: { content_sha256 } }))
  if (!hasOpenContract) await bodyOf(service.data('PUT', `${DOCUMENTS}/${contract.id}`, { body: { status: 'ended' } }))
  const notice = { name: 'Notice', payload_kind: 'json', value: { title: 'Notice' } }
  const { id: broadcastDocument } = await bodyOf(service.data('POST', DOCUMENTS, { body: notice }), 201)
  for (const id of [letter.id, String(broadcastDocument)]) await arrived(customer.calls, copyPath(connectionId, id))
  return { letter: letter.id, offer: offer.id, contract: contract.id, notice: String(broadcastDocument) }
}

async function arrived(calls: Calls, path: string): Promise<void> {
  await expect.poll(async () => (await calls('GET', path)).status).toBe(200)
}

/** A run that awaits the owner with answers and a file, and one that is completed. */
async function runFlows(stage: Stage, wish: StageWish) {
  const [open, done] = [await answered(stage), await answered(stage)]
  return { open, done, output: await complete(stage, done, wish) }
}

async function urlOf(service: Service, connectionId: string): Promise<string> {
  const scan = membersOf(membersOf((await service.read(connectionId))?.['values'])['scan'])
  return new URL(String(scan['value_url']), 'http://region').pathname
}

async function answered({ service, customer, connectionId, flowId }: Stage): Promise<string> {
  const body = { target: { connection_id: connectionId } }
  const run = await bodyOf(service.data('POST', `/api/company-data/flows/${flowId}/runs`, { body }), 201)
  const id = String(run['id'])
  const copies = async (text: string) => [
    { for_user_id: service.company.companyId, value: await service.seal(text) },
    { for_user_id: customer.userId, value: await sealTo(customer.user.keys.publicKey, text) },
  ]
  const first = { answers: [{ slug: 'amount', values: await copies('21') }], next_node: 'tell' }
  await bodyOf(service.data('POST', `${RUNS}/${id}/answers`, { body: first }))
  const path = `/api/company-connections/${connectionId}/flow-runs/${id}`
  await expect.poll(async () => (await customer.calls('GET', path)).body['status']).toBe('awaiting_customer')
  const values: object[] = []
  for (const copy of await copies(JSON.stringify(SCAN))) {
    const { file } = await bodyOf(
      customer.calls('POST', `${path}/answer-files`, { body: { slug: 'proof', ...copy } }),
      201,
    )
    values.push({ ...copy, value: JSON.stringify({ _enc_file: file }) })
  }
  const answers = [
    { slug: 'nick', values: await copies('Mara') },
    { slug: 'proof', values },
  ]
  await bodyOf(customer.calls('POST', `${path}/answers`, { body: { answers, next_node: 'end' } }))
  return id
}

async function complete({ service, customer, connectionId }: Stage, id: string, { hasOpenContract }: StageWish) {
  await bodyOf(service.data('POST', `${RUNS}/${id}/answers`, { body: { answers: [], leaf: true } }))
  const values = { amount: '21', nick: 'Mara' }
  await bodyOf(service.data('POST', `${RUNS}/${id}/generate`, { body: await handOver(values) }))
  const read = () => bodyOf(service.data('GET', `${RUNS}/${id}`))
  const { document_id: output } = copyOf(await read(), 'customer', 'contract')
  const path = copyPath(connectionId, output)
  await expect.poll(async () => (await customer.calls('GET', path)).body['status']).toBe('offering')
  const who = { ...customer, connectionId, publicKey: customer.user.keys.publicKey }
  const { content_sha256: content } = await bodyOf(customer.calls('GET', path))
  const body = await signedWith(String(content), await readPdf(who, id, 'contract'))
  await bodyOf(customer.calls('POST', `${path}/accept`, { body }))
  if (!hasOpenContract) await endCopies(service, await read())
  return output
}

async function endCopies(service: Service, run: Readonly<Record<string, unknown>>): Promise<void> {
  for (const { document_id: id, document_status: status } of copiesIn(run))
    if (status === 'active') await bodyOf(service.data('PUT', `${DOCUMENTS}/${id}`, { body: { status: 'ended' } }))
}

/** Messages both ways, and a broadcast. */
async function talk({ service, customer, connectionId }: Stage) {
  const message = await write(service, customer, connectionId, 'Hello')
  await writeBack(customer, service, connectionId, 'Good day')
  await bodyOf(service.data('POST', '/api/company-data/broadcast', { body: { body: 'We move' } }), 202)
  await expect.poll(async () => (await itemsOf(customer.calls, ownPath(connectionId))).length).toBeGreaterThan(2)
  await expect.poll(async () => (await itemsOf(service.data, sentPath(connectionId))).length).toBeGreaterThan(2)
  return { message }
}

/** A device with push, an enrolment, and a challenge that waits. */
async function trust({ world, service, customer }: Stage) {
  const device = await addDevice(customer)
  await enroll(world, service.client, customer)
  const { id: challenge } = await raise(service, customer)
  return { challenge, device: device.id }
}
