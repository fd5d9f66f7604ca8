import { plainPdf } from '@sealpost/pdf-format/testing'
import { AccountKey, CustomerClient, memoryPins, verifySealedPdf } from '@sealpost/sdk'
import { openWorld, scaled, testSeal } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { openCompany } from '../sharing/parties.ts'

const SOON = { timeout: scaled(20_000) }
const CONTRACT = { bytes: plainPdf(), originalName: 'supply.pdf' }

const world = await openWorld()
const { northwind } = await world.personas('northwind')
const { service, code } = await openCompany(world, northwind)
await service.requestFields.update(() => [])
const buyer = await world.company({ region: 'us' })
const key = await AccountKey.fromPkcs8(buyer.keys.privateKey.reveal())
const { clientId, clientSecret } = await buyer.accountClient(['customer_connections'])
const shared = { key, userType: 'company', pins: memoryPins() } as const
/** A user in the portal, and a program of the same company. */
const portal = new CustomerClient({ ...shared, accessToken: () => buyer.logIn() })
const machine = new CustomerClient({ ...shared, frontDoorUrl: world.frontDoor.url, clientId, clientSecret })
const { id: connectionId } = await machine.connect(code, {})
const target = { connection_id: connectionId }

async function offered(name: string) {
  const { id } = await service.documents.send({ target, name, requires_signature: true, file: CONTRACT })
  const arrived = () =>
    machine.documents.get(connectionId, id).then(
      () => true,
      () => false,
    )
  await expect.poll(arrived, SOON).toBe(true)
  return machine.documents.open(connectionId, id)
}

test('a program reads the contract of its company and cannot sign it; a user of the portal signs as custodian', async () => {
  const opened = await offered('Supply')
  expect(opened).toMatchObject({ kind: 'file', file: { originalName: 'supply.pdf' } })
  const custodian = { method: 'custodian' } as const
  await expect(machine.documents.sign(opened, custodian)).rejects.toMatchObject({ key: 'documents.human_required' })
  const signed = await portal.documents.sign(opened, custodian)
  expect(signed).toMatchObject({ status: 'active', signatures: [{ method: 'custodian' }] })

  const { id } = opened.document
  const digest = async () => (await machine.documents.get(connectionId, id)).plain_sha256
  await expect.poll(digest, SOON).toBe(signed.plain_sha256)
  const copy = await machine.documents.open(connectionId, id)
  if (copy.kind !== 'file') throw new Error('no file')
  expect(await verifySealedPdf(copy.file.bytes, { certificates: testSeal().root })).toMatchObject({
    isValid: true,
    seal: { acts: [{ signerFirstName: null, signerLastName: buyer.displayName, method: 'custodian' }] },
  })
})

test('a program may decline', async () => {
  const { document } = await offered('Another supply')
  expect(await machine.documents.decline(document, 'Not needed')).toMatchObject({ status: 'ended' })
})
