import { AccountKey, CustomerClient, memoryPins } from '@sealpost/sdk'
import type { Person } from '@sealpost/testkit'

/** As another device of the person would do it. */
export function clientOf(person: Person): CustomerClient {
  return new CustomerClient({
    accessToken: async () => {
      const { token, apiUrl } = await person.logIn()
      return { token, apiUrl }
    },
    pins: memoryPins(),
    key: () => AccountKey.fromPkcs8(person.keys.privateKey.reveal()),
  })
}
