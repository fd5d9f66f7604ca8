import { createCryptoPlatform, importOpeningKey, type OpeningKey, unwrapByPassphrase } from '@sealpost/crypto'
import { Secret, type ServiceId, type UserId } from '@sealpost/kernel'
import { createServiceKey } from '@sealpost/vault'
import type { PersonaService } from '../persona-services.ts'
import type { TwoRegions } from '../two-regions.ts'

export type TestServiceKey = Pick<PersonaService, 'passphrase' | 'publicKey' | 'encryptedPrivateKey'>

export interface TestService extends TestServiceKey {
  readonly serviceId: ServiceId
}

const platform = createCryptoPlatform(globalThis)

/** One more service of a company, with a key of its own, past the routes. */
export async function addService(
  two: TwoRegions,
  region: 'eu' | 'us',
  companyId: UserId,
  name = 'A service',
): Promise<TestService> {
  const { operations } = two[region]
  const { ids } = two[region].platform
  const serviceId = ids.uuid<ServiceId>()
  const key = await newServiceKey()
  const { publicKey, encryptedPrivateKey } = key
  const adminEmail = 'services@company.example'
  await operations.createService({ companyId, id: serviceId, name, adminEmail, publicKey, encryptedPrivateKey })
  return { serviceId, ...key }
}

/** What `POST /api/services` takes, and the passphrase that stays with its maker. */
export async function newServiceKey(): Promise<TestServiceKey> {
  const { publicKey, encryptedPrivateKey, passphrase } = await createServiceKey()
  return { publicKey, encryptedPrivateKey, passphrase: passphrase.reveal() }
}

/** The key that opens what customers have sealed to a service, as its owner gets it with the passphrase. */
export async function openServiceKey({ encryptedPrivateKey, passphrase }: TestServiceKey): Promise<OpeningKey> {
  const privateKey = await unwrapByPassphrase(platform, encryptedPrivateKey, new Secret(passphrase))
  if (!privateKey.ok) throw new Error(`the passphrase does not open the key: ${privateKey.refusal}`)
  const key = await importOpeningKey(platform, privateKey.value)
  if (!key.ok) throw new Error('the private key of the service cannot be used')
  return key.value
}
