import { AccountKey, CustomerClient, memoryPins, ServiceClient, ServiceKey } from '@sealpost/sdk'
import { flowAuthor, type openWorld } from '@sealpost/testkit'
import { intake } from './intake.ts'

type World = Awaited<ReturnType<typeof openWorld>>

/** A service in eu, a person in us and a company in us, all by the SDK, and a published flow. */
export async function openFlowParties(world: World, definition: object = intake()) {
  const service = await world.service([{ slug: 'name' }, { slug: 'deed', type: 'pdf_document' }])
  const frontDoorUrl = world.frontDoor.url
  const client = new ServiceClient({ frontDoorUrl, ...service.client, pins: memoryPins() })
  const key = await ServiceKey.fromWrap(service.encryptedPrivateKey, service.passphrase)

  const mara = await world.person({ displayName: 'Mara Müller' })
  const accessToken = () => Promise.resolve(mara)
  const maraKey = await AccountKey.fromPkcs8(mara.keys.privateKey.reveal())
  const app = new CustomerClient({ accessToken, key: maraKey, pins: memoryPins() })
  const { id: ofPerson } = await app.connect(service.code, { name: { value: 'Mara' } })

  const bank = await world.company({ region: 'us' })
  const { clientId, clientSecret } = await bank.accountClient(['customer_connections'])
  const bankKey = await AccountKey.fromPkcs8(bank.keys.privateKey.reveal())
  const desk = new CustomerClient({
    frontDoorUrl,
    clientId,
    clientSecret,
    userType: 'company',
    key: bankKey,
    pins: memoryPins(),
  })
  const { id: ofCompany } = await desk.connect(service.code, {})

  const { flowId } = await flowAuthor(service).published(definition)
  return {
    service,
    client,
    key,
    mara,
    app,
    bank,
    desk,
    flowId,
    ofPerson,
    ofCompany,
    targets: { customer: { connection_id: ofPerson }, guarantor: { connection_id: ofCompany } },
    /** Soon enough for a test. */
    soon: { pollSeconds: 0.05 },
    asPerson: (id: string) => ({ id, connection_id: ofPerson }),
    asCompany: (id: string) => ({ id, connection_id: ofCompany }),
  }
}
