import { makePki, startTimestampAuthority, type TestPki } from '@sealpost/pdf/testing'
import type { InstallationOptions } from '@sealpost/testkit'

/** A test CA that both regions seal with; us also takes time-stamps of its authority. */
export interface Seals {
  readonly pki: TestPki
  readonly adjust: NonNullable<InstallationOptions['adjust']>
  close(): Promise<void>
}

export async function openSeals(): Promise<Seals> {
  const pki = await makePki()
  const authority = await startTimestampAuthority(pki)
  const seal = { SEAL_CERT: pki.path('seal-ec.pem'), SEAL_KEY: pki.path('seal-ec.key') }
  return {
    pki,
    async adjust({ frontDoor, eu, us }) {
      const internal = [us['EGRESS_INTERNAL_HOSTS'], new URL(authority.url).host].join(',')
      const stamp = { TSA_URL: authority.url, TSA_CERT: pki.path('root.pem'), EGRESS_INTERNAL_HOSTS: internal }
      return { frontDoor, eu: { ...eu, ...seal }, us: { ...us, ...seal, ...stamp } }
    },
    close: () => authority.close(),
  }
}
