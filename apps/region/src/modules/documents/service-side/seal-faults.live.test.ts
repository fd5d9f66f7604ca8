import { join } from 'node:path'
import { instant, Secret } from '@sealpost/kernel'
import { createKeySigner, serveSigner } from '@sealpost/pdf'
import { findSeal } from '@sealpost/pdf-format'
import { plainPdf } from '@sealpost/pdf-format/testing'
import { askOthers, makePki, openFolder, startTimestampAuthority } from '@sealpost/pdf/testing'
import { systemClock } from '@sealpost/process'
import { bodyOf, openWorld, refused, testSeal } from '@sealpost/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DOCUMENTS } from '../testing/documents.ts'
import { handOver, offerPdf, type PdfOffer, readSealed } from '../testing/pdf-contracts.ts'

const pki = await makePki()
const authority = await startTimestampAuthority(pki)
const SEAL_SIGNER = join(openFolder().path, 'signer.sock')
const world = await openWorld({
  settings: { SEAL_KEY: '', SEAL_SIGNER, TSA_URL: authority.url, TSA_CERT: pki.path('root.pem') },
})
// The authority has the time of this machine.
world.clock.set(instant(systemClock.now()))
const { certificate, key, root } = testSeal()
const company = await world.company()
const service = await world.service([], { company })
const customer = await world.company({ region: 'us' })
const connectionId = await customer.connected(service)
const serve = () => serveSigner(SEAL_SIGNER, createKeySigner(certificate, new Secret(key)))
let signing: Awaited<ReturnType<typeof serve>>
beforeAll(async () => {
  signing = await serve()
})
afterAll(async () => {
  await signing.close()
  await authority.close()
})

const offer = () => offerPdf(service, customer, connectionId, { plain: plainPdf() })
const sign = async (offered: PdfOffer) => {
  const body = { ...(await handOver(offered)), method: 'custodian' }
  return customer.calls('POST', `${offered.path}/sign`, { body })
}

/** Both sides, and all that a seal could leave behind. */
async function stateOf({ id, path }: PdfOffer) {
  return {
    copy: await bodyOf(customer.calls('GET', path)),
    document: await bodyOf(service.data('GET', `${DOCUMENTS}/${id}`)),
    seals: await world.rows('select id from documents_service.prepared_seal where document_id = $1', [id]),
  }
}

test('with an authority a seal has its time-stamp, and other programs accept it', async () => {
  const offered = await offer()
  await bodyOf(sign(offered))
  const file = await readSealed(customer, offered)
  expect(await askOthers(file, root)).toEqual({
    isClean: true,
    isSignatureValid: true,
    isAllSigned: true,
    isCades: true,
  })
  const { contentsStart = 0, contentsEnd = 0 } = findSeal(Uint8Array.from(file)) ?? {}
  const timeStampToken = '060b2a864886f70d010910020e'
  expect(file.toString('latin1', contentsStart, contentsEnd).toLowerCase()).toContain(timeStampToken)
})

const faults: readonly (readonly [string, () => Promise<() => Promise<void>>])[] = [
  [
    'an authority that is down',
    async () => {
      authority.change(() => Promise.reject(new Error('down')))
      return async () => authority.change(null)
    },
  ],
  [
    'an authority that lies',
    async () => {
      authority.change((reply) => {
        const changed = Buffer.from(reply)
        const last = changed.length - 1
        changed[last] = (changed[last] ?? 0) ^ 1
        return changed
      })
      return async () => authority.change(null)
    },
  ],
  [
    'a key that is away',
    async () => {
      await signing.close()
      return async () => {
        signing = await serve()
      }
    },
  ],
]

test.each(faults)(
  '%s refuses the act, nothing is stored, and a later act is sealed [SEAL-05]',
  async (_name, cause) => {
    const offered = await offer()
    const before = await stateOf(offered)
    const end = await cause()
    try {
      expect(await sign(offered)).toMatchObject(refused(503, 'documents.seal_failed'))
      expect(await stateOf(offered)).toEqual({ ...before, seals: [] })
    } finally {
      await end()
    }
    expect(await bodyOf(sign(offered))).toMatchObject({ status: 'active', sealed_at: world.time() })
  },
)
