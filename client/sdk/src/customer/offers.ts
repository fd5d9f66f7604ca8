import { splitCode } from '../keys/codes.ts'
import { pinService } from '../keys/pins.ts'
import { fingerprintOf } from '../keys/public-key.ts'
import type { CallOptions } from '../options.ts'
import { lookUpService } from '../routes.generated.ts'
import type { LookUpServiceAnswer } from '../shapes.generated.ts'
import { UntrustedAnswerError } from '../untrusted.ts'
import { newRecord } from './connection-record.ts'
import { type AnnouncedKey, type Asking, type CustomerAnswers, linksOf } from './decisions.ts'
import type { CustomerSession } from './session.ts'

/** The service at a code; another service in the answer, or one with another key than announced, is refused. */
export async function readOffer(
  session: CustomerSession,
  code: string,
  { keyFingerprint, ...options }: CallOptions & AnnouncedKey = {},
): Promise<LookUpServiceAnswer> {
  const { companyCode, serviceCode } = splitCode(code)
  const offer = await session.send(lookUpService, { params: { companyCode, serviceCode } }, options)
  const isMeant = offer.company.share_code === companyCode && offer.service.code === serviceCode
  if (!isMeant) throw new UntrustedAnswerError('other_service', `${companyCode}/${serviceCode}`)
  const isAnnounced = keyFingerprint === undefined || (await fingerprintOf(offer.public_key)) === keyFingerprint
  if (!isAnnounced) throw new UntrustedAnswerError('key_not_announced', `${companyCode}/${serviceCode}`)
  return offer
}

/** A new connection with the service at a code; its key is pinned by the code. */
export async function askingOf(
  session: CustomerSession,
  code: string,
  answers: CustomerAnswers,
  options?: CallOptions & AnnouncedKey,
): Promise<Asking> {
  const offer = await readOffer(session, code, options)
  const { public_key: publicKey, request_fields: rows, service } = offer
  const normal = `${offer.company.share_code}/${service.code}`
  const service_key = await pinService(session.pins, { code: normal, id: service.service_id, publicKey })
  return { publicKey, rows, record: newRecord(session, { code: normal, service_key, links: linksOf(rows, answers) }) }
}
