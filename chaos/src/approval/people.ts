import { addDevice, type Calls, connectNewUser, enroll, northwind, type TestUser } from '@sealpost/testkit'
import type { Site } from './site.ts'

/** A person in us who approves logins at the company in eu. */
export interface Approver {
  readonly user: TestUser
  readonly calls: Calls
  /** Signs with the person's device. */
  readonly sign: (text: string) => object
}

export async function openApprover({ installation }: Site): Promise<Approver> {
  const wanted = { userType: 'person', region: 'us' } as const
  const { user, token, calls } = await connectNewUser(installation, wanted, northwind)
  await enroll(installation, northwind, { token })
  const { sign } = await addDevice({ authVerifier: user.authVerifier, calls })
  return { user, calls, sign }
}
