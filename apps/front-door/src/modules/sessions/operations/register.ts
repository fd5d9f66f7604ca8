import { createCryptoPlatform, isPublicKey } from '@sealpost/crypto'
import { instant, type RegionCode } from '@sealpost/kernel'
import { beginRegistrationAsk, refuse } from '@sealpost/protocol'
import type { Platform } from '../../../platform/module.ts'
import { findRegion } from '../../../platform/regions.ts'
import { findAddressee, openParty } from '../../directory/index.ts'
import type { RegistrationBody } from '../model.ts'
import { recordRegistration } from '../store/registrations.ts'
import { takeMail } from './take-from-account.ts'

/** Slightly longer than a code is valid. */
const REMEMBERED_MS = 15 * 60_000
const crypto = createCryptoPlatform(globalThis)

/** Asks the region where the account will live, whether the address has an account or not: it mails the code. */
export async function register(platform: Platform, body: RegistrationBody): Promise<void> {
  const region = validate(platform, body)
  const { emailHash, isKnown } = await findAddressee(platform, body.email)
  await takeMail(platform, emailHash)
  const to = await openParty(platform, region)
  const now = platform.clock.now()
  const expiresAt = instant(now + REMEMBERED_MS)
  await platform.database.transaction((tx) => recordRegistration(tx, emailHash, region, now, expiresAt))
  const isCompany = body.user_type === 'company'
  await platform.bus.ask(beginRegistrationAsk, {
    to,
    body: {
      is_taken: isKnown,
      user_type: body.user_type,
      email: body.email.trim(),
      email_hash: emailHash,
      display_name: body.display_name,
      language: body.language,
      auth_verifier: body.auth_verifier,
      kdf: body.kdf,
      public_key: body.public_key,
      encrypted_private_key: body.encrypted_private_key,
      recovery_public_key: (isCompany ? body.recovery_public_key : null) ?? null,
      encrypted_recovery_key: (isCompany ? body.encrypted_recovery_key : null) ?? null,
    },
  })
}

export function invalid(path: string, message: string): Error {
  return refuse('request.invalid', { details: [{ path, message }] })
}

function validate(platform: Platform, body: RegistrationBody): RegionCode {
  const region = findRegion(platform, body.region)
  if (region === null) throw invalid('/region', 'is no region of this installation: see GET /api/regions')
  if (!isPublicKey(crypto, body.public_key)) throw invalid('/public_key', 'is no RSA-2048 key')
  if (body.user_type === 'company') {
    const { recovery_public_key: key, encrypted_recovery_key: wrap } = body
    if (key === undefined || !isPublicKey(crypto, key)) throw invalid('/recovery_public_key', 'is no RSA-2048 key')
    if (wrap === undefined) throw invalid('/encrypted_recovery_key', 'is required for a company')
  }
  return region.code
}
