import { createCryptoPlatform, generateKeyPair, importOpeningKey } from '@sealpost/crypto'
import { type ModelUser, modelUser } from '../flows/user.ts'

const platform = createCryptoPlatform(globalThis)

/** Key pairs of the only size there is, made once and used by all runs. */
export interface KeyPool {
  readonly companies: readonly Company[]
  readonly customers: readonly ModelUser[]
}

/** A company has the key of its service, and one of its account, which no answer is sealed to. */
export interface Company {
  readonly service: ModelUser
  readonly account: ModelUser
}

export async function makeKeyPool(customers: number): Promise<KeyPool> {
  const companies = [await makeCompany('company-0'), await makeCompany('company-1')]
  const made: ModelUser[] = []
  for (let place = 0; place < customers; place += 1) made.push(await makeUser(`customer-${place}`))
  return { companies, customers: made }
}

async function makeCompany(name: string): Promise<Company> {
  return { service: await makeUser(name), account: await makeUser(`${name}-account`) }
}

async function makeUser(userId: string): Promise<ModelUser> {
  const { publicKey, privateKey } = await generateKeyPair(platform)
  const opening = await importOpeningKey(platform, privateKey)
  if (!opening.ok) throw new Error('a made key cannot be imported')
  return modelUser(userId, publicKey, opening.value)
}
