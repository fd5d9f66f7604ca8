import { Secret, type UserId } from '@sealpost/kernel'
import { systemIds } from '@sealpost/process'
import { mara } from '@sealpost/testkit'
import { createAccount, openOperations } from '../accounts.ts'
import type { RoleSite } from './site.ts'

/** A person who logs in during a run. */
export async function openLogin(site: RoleSite): Promise<{ readonly email: string; readonly authVerifier: string }> {
  const id = systemIds().uuid<UserId>()
  const operations = await openOperations(site, 'eu')
  try {
    await createAccount(operations, { id, userType: 'person', name: 'login' })
    await operations.setPassword(id, new Secret(mara.login.authVerifier))
  } finally {
    await operations.close()
  }
  return { email: 'login@chaos.example', authVerifier: mara.login.authVerifier }
}
